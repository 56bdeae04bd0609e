"""The agents whose hooks are served: what they tell a hook, where their logs lie, how their settings name a hook."""
