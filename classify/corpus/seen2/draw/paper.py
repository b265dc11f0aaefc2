"""A Paper prints values of a shipment and puts each into the truth at the same time, so that the
two cannot differ. Authors of rules do not open this package."""
import datetime
import html
import random
import re

import world

MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split(),
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(),
    "nl": "januari februari maart april mei juni juli augustus september oktober november december".split(),
}
DAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split(),
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche".split(),
    "es": "lunes martes miércoles jueves viernes sábado domingo".split(),
    "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica".split(),
    "pt": "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo".split(),
    "nl": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag".split(),
}
DATES = {"en": ["mon", "Mon", "iso", "mon2", "us", "long"], "de": ["dmy.", "dmy.", "long"], "fr": ["dmy/", "long", "dmy/"], "es": ["dmy/", "long", "dmy-"],
         "it": ["dmy/", "dmy.", "long"], "pt": ["dmy/", "long", "dmy/"], "nl": ["dmy-", "long"], "zh": ["zh", "iso", "iso.", "ymd/"]}
NUMBERS = {"en": ["en", "en", "plain"], "de": ["de"], "fr": ["fr"], "es": ["de"], "it": ["de"], "pt": ["de"], "nl": ["de"], "zh": ["en", "plain"]}
SEPARATORS = {"en": (",", "."), "de": (".", ","), "fr": ("\u00a0", ","), "plain": ("", "."), "ch": ("'", ".")}
AMBIGUOUS = {"ESVLC", "COCTG", "CLSAI", "MXZLO", "CAVAN", "MXVER"}
SIZES = {"40HC": ["40HC", "40'HC", "40' HIGH CUBE", "45G1", "40 HQ", "40ft High Cube Dry"], "20GP": ["20GP", "20' DV", "22G1", "20' STANDARD", "20DC", "20ft Dry"],
         "40GP": ["40GP", "40' DV", "42G1", "40' STANDARD", "40DC"], "20RF": ["20RF", "20' REEFER", "22R1", "20RE"], "40RH": ["40RH", "40' HC REEFER", "45R1", "40RH", "40RQ"]}
FAMILIES = ["Liberation Sans", "Liberation Serif", "Nimbus Sans", "Nimbus Roman", "Nimbus Sans Narrow", "Carlito", "DejaVu Sans", "URW Gothic", "P052", "C059", "Nimbus Mono PS", "Liberation Mono", "Liberation Sans Narrow"]


class Again(Exception):
    """The drawn values do not decide what the paper must decide; draw others."""


def tidy(x):
    s = f"{float(x):.4f}".rstrip("0").rstrip(".")
    return s or "0"


class Paper:
    def __init__(self, typ, lang, seed, dates=None, numbers=None):
        self.type, self.lang, self.r = typ, lang, random.Random(seed)
        self.fields, self.sub = {}, None
        self.dates = dates or self.r.choice(DATES[lang])
        self.numbers = numbers or self.r.choice(NUMBERS[lang])
        self.places = self.r.choice(["name", "country", "both", "upper"])
        self.sizes = self.r.randrange(3)
        self.upper = self.r.random() < .5
        self.esc = html.escape
        self.br = "<br>"
        self.currency = ""
        self.days = []
        self.family = self.r.choice(FAMILIES)
        self.size = self.r.choice([8.5, 9, 9.5])
        self.furniture = True

    def row(self, name):
        row = {}
        self.fields.setdefault(name, []).append(row)
        p = object.__new__(Paper)
        p.__dict__ = dict(self.__dict__)
        p.fields = row
        return p

    def put(self, name, value):
        if name in self.fields and self.fields[name] != value:
            raise ValueError(f"{name} printed twice, with different values")
        self.fields[name] = value

    def silent(self, name, value):
        """A value that the paper implies, such as the SCAC of the line that it names."""
        self.put(name, value)
        return ""

    def num(self, name, value, printed=None):
        self.put(name, re.sub(r"[^A-Z0-9]", "", value.upper()))
        return self.esc(printed or value)

    def text(self, name, value):
        self.put(name, value)
        return self.esc(value)

    def prose(self, name, lines):
        self.put(name, " ".join(" ".join(lines).split()))
        return self.br.join(self.esc(x) for x in lines)

    def party(self, name, c, extra=(), whole=True, sep=None):
        lines = (c["lines"] + ([c["country"].upper()] if whole else []) + list(extra)) if whole is not None else []
        value = {"name": c["name"]}
        if lines:
            value["address"] = ", ".join(lines)
        self.put(name, value)
        return (sep or self.br).join(self.esc(x) for x in [c["name"]] + lines)

    def placename(self, code, style=None):
        name, zh, country = world.PORTS[code]
        if self.lang == "zh" and style is None:
            return zh
        name = world.LOCAL.get(self.lang, {}).get(code, name)
        style = style or self.places
        if style == "code":
            return code
        if code in world.STATE:
            name = f"{name}, {world.STATE[code]}"
        if style == "country" or code in AMBIGUOUS:
            name = f"{name}, {country}"
        if style == "both":
            name = f"{name} ({code})"
        return name.upper() if style == "upper" or self.upper else name

    def place(self, name, code, style=None):
        self.put(name, code)
        return self.esc(self.placename(code, style))

    def day(self, d, style=None):
        """A date as printed, in the truth or not."""
        style = style or self.dates
        m = MONTHS["en" if self.lang == "zh" else self.lang][d.month - 1]
        e = MONTHS["en"][d.month - 1]
        if style[:3] in ("dmy", "mdy") and style[3] == "/" and self.lang == "en":
            self.days.append((d, style))
        long = {"en": f"{d.day} {m} {d.year}", "de": f"{d.day}. {m} {d.year}", "es": f"{d.day} de {m} de {d.year}", "pt": f"{d.day} de {m} de {d.year}"}
        return {
            "iso": f"{d:%Y-%m-%d}", "iso.": f"{d:%Y.%m.%d}", "ymd/": f"{d:%Y/%m/%d}", "dmy.": f"{d:%d.%m.%Y}", "dmy/": f"{d:%d/%m/%Y}", "dmy-": f"{d:%d-%m-%Y}", "dmy2.": f"{d:%d.%m.%y}",
            "mdy/": f"{d:%m/%d/%Y}", "mon": f"{d.day:02}-{e[:3].upper()}-{d.year}", "Mon": f"{d.day:02} {e[:3]} {d.year}", "mon2": f"{d.day:02}-{e[:3].upper()}-{d:%y}",
            "us": f"{e[:3]} {d.day}, {d.year}", "usl": f"{e} {d.day}, {d.year}", "zh": f"{d.year}年{d.month}月{d.day}日", "zh0": f"{d.year}年{d.month:02}月{d.day:02}日",
            "long": long.get(self.lang, f"{d.day} {m} {d.year}"),
        }[style]

    def date(self, name, d, style=None, time=None):
        self.put(name, d.isoformat() + (f"T{time}" if time else ""))
        return self.esc(self.day(d, style) + (f" {time}" if time else ""))

    def either(self, name, d, style):
        """A date that nothing on the paper decides."""
        other = datetime.date(d.year, d.day, d.month)
        self.put(name, {"either": sorted([d.isoformat(), other.isoformat()])})
        return self.esc(self.day(d, style))

    def figure(self, x, decimals=None):
        if decimals is None:
            decimals = len(tidy(x).partition(".")[2])
        thousands, point = SEPARATORS[self.numbers]
        return f"{float(x):,.{decimals}f}".replace(",", "\0").replace(".", point).replace("\0", thousands)

    def kg(self, name, x, unit=" KGS", decimals=None):
        if decimals is not None:
            x = round(x, decimals)
        self.put(name, tidy(x) + " kg")
        return self.esc(self.figure(x, decimals) + unit)

    def m3(self, name, x, unit=" CBM", decimals=None):
        if decimals is not None:
            x = round(x, decimals)
        self.put(name, tidy(x) + " m3")
        return self.esc(self.figure(x, decimals) + unit)

    def qty(self, name, x, unit=""):
        self.put(name, tidy(x))
        return self.esc(self.figure(x) + unit)

    def money(self, name, x, before="", after=""):
        self.put(name, (self.currency + " " if self.currency else "") + tidy(x))
        return self.esc(before + self.figure(x, 2) + after)

    def code(self, name, value, printed=None):
        self.put(name, value)
        return self.esc(printed or value)

    def kind(self, name, code):
        self.put(name, code)
        return self.esc(SIZES[code][self.sizes % len(SIZES[code])])

    def finish(self):
        """English papers with figures for months must have a date that decides the order."""
        if self.days and not any(d.day > 12 for d, _ in self.days):
            raise Again
        self.fields = {k: v for k, v in self.fields.items() if v != []}
