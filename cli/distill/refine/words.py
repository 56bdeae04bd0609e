"""The words by which a text is compared with its evidence: what forbids, what limits, what leaves open, what only
binds other words together. Folded as text/fold does."""

from __future__ import annotations

from distill.text.lazy import Lazy

#: What takes back or forbids.
NEGATION = Lazy(
    r"\b(?:not?|nah|nope|never|none|nothing|neither|nor|without|cannot|\w+n't|dont|wont|cant|stop|avoid|refuse[sd]?|reject(?:s|ed)?|"
    r"drop(?:s|ped)?|remove[sd]?|forbid(?:s|den)?|ban(?:s|ned)?|prohibit(?:s|ed)?|instead|leave\s+out|off-limits)\b"
    r"|不(?!过|错|仅|光|止|妨|同)|没(?!错|问题|关系)|[别勿莫非未无禁]|拒绝|避免|停止|去掉|砍掉|免得"
)
#: What forbids without exception.
STRICT = Lazy(
    r"\b(?:never|must\s+not|mustn't|under\s+no|no\s+circumstances|forbidden|prohibited|off-limits|do\s+not|don't|dont)\b"
    r"|绝不|决不|绝对不|严禁|禁止|不得|不许|不准|不要|不能|[勿别]"
)
#: What bounds.
LIMIT = Lazy(
    r"\b(?:only|at\s+(?:most|least)|no\s+(?:more|less|fewer)\s+than|max(?:imum)?|min(?:imum)?|up\s+to|limit(?:s|ed)?|"
    r"always|must|exactly|nothing\s+but|within)\b|(?<![那这哪一两几])只|仅|最多|最少|至少|至多|不超过|以内|以上|上限|下限|必须|一律|务必"
)
#: What makes a demand a wish.
SOFT = Lazy(
    r"\b(?:avoid(?:s|ed)?|prefer(?:s|red|ably)?|try|tries|ideally|if\s+possible|where\s+possible|(?:should|might|can|could)(?!n't|'t|not)|may|"
    r"usually|generally|mostly|normally|often|better|optional(?:ly)?|recommend(?:ed)?|suggest(?:ed)?|unless|except|"
    r"for\s+now|sparingly|rarely)\b|尽量|最好|建议|可以|一般|原则上|通常|尽可能|除非|除了|暂时|暂不|酌情|少用|也可|或许"
)
#: What holds something possible, asks for it, or ties it to a condition.
POSSIBLE = Lazy(
    r"\b(?:maybe|perhaps|possibly|probably|likely|might|could|would|wonder(?:ing)?|consider(?:ing)?|guess|if|unless|"
    r"assum(?:e|ing)|suppose|seems?|not\s+sure|unsure|what\s+about|how\s+about|thinking\s+(?:of|about)|in\s+case|"
    r"proposed?|suggest(?:s|ed)?|option|alternatively|either)\b"
    r"|可能|也许|或许|大概|估计|考虑|如果|假如|要是|万一|是不是|是否|好像|似乎|不确定|要不|不如|猜|建议|方案|除非|假设"
)
#: What ties the words before it to a condition.
BACKWARD = Lazy(r"\b(?:if|unless|in\s+case|provided)\b|除非|如果|的话")
#: What says that something has not been done yet.
PENDING = Lazy(r"\b(?:yet|still|until)\b|还|尚|未|没")
#: What puts an option off or finds fault with it, besides what forbids.
REFUSAL = Lazy(
    r"\b(?:too|overkill|risky|hate|skip|later|postpone|wait|hold|fail(?:s|ed)?|broken|wrong|maybe|bad|ugly|slow)\b"
    r"|算了|免了|太|先放|放着|以后|下次|再说|回头|不行|麻烦|问|等"
)
#: What puts up several ways of which one is to be chosen.
WHICH = Lazy(r"\b(?:which|or|options?|either|prefer|alternatives?|ways?)\b|哪|还是|或者|方案|选项|选一|挑|几种|两种")
#: Words that a text may use to say what its evidence says otherwise; they name nothing.
GLUE = frozenset(
    "a an the of to in on for and or is are was were be been being it its this that these those with as at by from "
    "we i you they he she them us our your my their will would has have had do does did done so if then than into "
    "also just now can could should may might must there here what which who when where how all any some no not "
    "never none only every each both more most less least very up out about over under own same please let lets "
    "because since while until before after without within between per via instead still yet already again but too "
    "use uses used using keep keeps kept set sets stay stays remain remains make makes made allow allowed allows "
    "need needs needed require requires required want wants wanted user users assistant project decision decided "
    "settled agreed choice chosen chose fixed fact open todo remaining pending missing unfinished work works "
    "working task default value limit limits maximum minimum forbidden avoid don't doesn't isn't won't can't cannot "
    "exist exists existing new old first last next later current currently always one thing things way case get "
    "gets go goes going rather wait longer left become becomes follow follows write writes stand stands take takes "
    "come comes know asks asked".split()
)
GLUE_HAN = frozenset(
    "的了是在和也都就这那有我你他们把被对与及或个为以用由从到向将会能可要应须该需必已未不没无别勿只仅最多少至上下中内外前后时间日期"
    "用户助手项目任务决定确定约定采用使用保持设置定为其它此所而但并且因此所以之于等各每原因还写加份问"
)
#: The other forms of verbs that do not follow the rule, behind the form that stands for all.
IRREGULAR = {form: forms[0] for forms in (line.split() for line in (
    "become became", "begin began begun", "break broke broken", "bring brought", "build built", "buy bought",
    "catch caught", "choose chose chosen", "come came", "cut cutting", "draw drew drawn", "fall fell fallen",
    "feel felt", "find found", "forget forgot forgotten", "get got gotten getting", "give gave given",
    "go went gone goes", "grow grew grown", "hold held", "keep kept", "know knew known", "leave left leaving",
    "lose lost losing", "make made making", "mean meant", "meet met", "pay paid", "put putting", "rise rose risen",
    "run ran running", "see saw seen", "sell sold", "send sent", "set setting", "show showed shown", "shut shutting",
    "sit sat sitting", "speak spoke spoken", "spend spent", "split splitting", "stand stood", "take took taken taking",
    "tell told", "think thought", "throw threw thrown", "win won", "write wrote written writing",
)) for form in forms}
