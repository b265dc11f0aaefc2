"""Reads an iCalendar object from standard input with libical, and prints what violates RFC 5545.

Ends with 3 where libical is missing, and with 1 for violations.
"""
import ctypes
import sys

try:
    ical = ctypes.CDLL("libical.so.3")
except OSError as missing:
    print(missing)
    sys.exit(3)

for name, result, arguments in [
    ("icalparser_parse_string", ctypes.c_void_p, [ctypes.c_char_p]),
    ("icalrestriction_check", ctypes.c_int, [ctypes.c_void_p]),
    ("icalcomponent_count_errors", ctypes.c_int, [ctypes.c_void_p]),
    ("icalcomponent_as_ical_string", ctypes.c_char_p, [ctypes.c_void_p]),
]:
    function = getattr(ical, name)
    function.restype, function.argtypes = result, arguments

calendar = ical.icalparser_parse_string(sys.stdin.buffer.read())
if not calendar:
    print("not an iCalendar object")
    sys.exit(1)
valid = ical.icalrestriction_check(calendar)
if not valid or ical.icalcomponent_count_errors(calendar):
    print(ical.icalcomponent_as_ical_string(calendar).decode())
    sys.exit(1)
