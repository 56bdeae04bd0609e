"""The layered context of work in progress: global rules, domain packs, a stack of tasks, and what stays when they end.

Everything here is a pure function of a `Desk`; what stands on the disk is the store's, and both are joined elsewhere.
"""
