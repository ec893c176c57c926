"""A file for the tools of scalpel_server.py to read. Nobody runs it."""

import pickle


class Store:
    def __init__(self, path):
        self.path = path

    def load(self):
        with open(self.path, "rb") as file:
            return pickle.loads(file.read())


def total(orders):
    return sum(order["price"] for order in orders if order["paid"])
