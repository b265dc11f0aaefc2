"""The layouts. Authors of rules do not open this package."""
from itertools import zip_longest

LAYOUTS = {}


def layout(name, typ, lang, css="", engines=("chromium", "wk"), dates=None, numbers=None, origin=None, destination=None, kind="html", boxes=None, size=None):
    def add(draw):
        assert name not in LAYOUTS, name
        LAYOUTS[name] = {"name": name, "type": typ, "lang": lang, "css": css, "engines": list(engines), "dates": dates, "numbers": numbers,
                         "origin": origin, "destination": destination, "draw": draw, "kind": kind, "boxes": boxes, "size": size}
        return draw
    return add


def table(head, rows, attrs=""):
    h = "".join(f"<th>{x}</th>" for x in head)
    return f"<table {attrs}><tr>{h}</tr>" + "".join("<tr>" + "".join(f"<td>{x}</td>" for x in r) + "</tr>" for r in rows) + "</table>"


def cells(a, b):
    return zip_longest(a.split("\n"), b.split("\n"), fillvalue="")
