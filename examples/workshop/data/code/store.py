import json
import os


class Store:
    """Keeps settings, a password among them, in one JSON file."""

    def load(self, path):
        if not os.path.exists(path):
            return {}
        with open(path) as file:
            return json.load(file)

    def save(self, path, settings):
        for name in ("user", "password"):
            if name not in settings:
                raise KeyError(name)
        with open(path, "w") as file:
            json.dump(settings, file)
