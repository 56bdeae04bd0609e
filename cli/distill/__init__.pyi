"""The public names as type checkers see them; at run time they are fetched when first used."""

from distill.fold.numbers import FoldNumbers as FoldNumbers
from distill.folder import Folder as Folder
from distill.layered import Context as Context
from distill.model import DistillError as DistillError
from distill.model import Item as Item
from distill.model import State as State
from distill.pipeline import Options as Options
from distill.pipeline import distil_log as distil_log

__all__ = ["Context", "DistillError", "FoldNumbers", "Folder", "Item", "Options", "State", "__version__", "distil_log"]

__version__: str
