"""The texts of contacts and calendars, as vobject and icalendar read them: all values of properties, and names in parameters."""

import json
import pathlib
import sys

import icalendar
import vobject

SKIPPED = {"BEGIN", "END", "VERSION", "PRODID"}


def of_card(path):
    content = path.read_bytes()
    # Vobject takes text; values with a character set of their own are decoded when they are quoted only.
    charset = next((name for name in CHARSETS if f"CHARSET={name}:".encode() in content), "utf-8")
    for card in vobject.readComponents(content.decode(charset), allowQP=True):
        for line in card.getChildren():
            if line.name in SKIPPED or "B" in [value.upper() for value in line.params.get("ENCODING", [])]:
                continue
            yield from of_value(line.value)


CHARSETS = ["windows-1252", "ISO-8859-1", "windows-1251", "shift_jis"]


def of_value(value):
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from of_value(one)
    elif isinstance(value, (vobject.vcard.Name, vobject.vcard.Address)):
        for part in vars(value).values():
            yield from of_value(part)
    elif isinstance(value, str):
        yield value


def of_calendar(path):
    for component in icalendar.Calendar.from_ical(path.read_bytes()).walk():
        for name, value in component.property_items(recursive=False):
            if name in SKIPPED:
                continue
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, icalendar.prop.vCategory):
                    yield from (str(category) for category in one.cats)
                elif isinstance(one, str):
                    yield str(one)
                else:
                    yield one.to_ical().decode() if hasattr(one, "to_ical") else str(one)
                yield str(getattr(one, "params", {}).get("CN", ""))


found = {}
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    read = of_card if path.suffix == ".vcf" else of_calendar
    found[path.name] = "\n".join(read(path))
print(json.dumps(found))
