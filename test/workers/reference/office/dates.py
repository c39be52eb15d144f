"""The dates in the cells of workbooks, as openpyxl reads them: for each file those of its first row, as ISO 8601 has them."""

import datetime
import json
import pathlib
import sys
import warnings

import openpyxl

warnings.simplefilter("ignore")
found = {}
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    sheet = openpyxl.load_workbook(path).worksheets[0]
    dates = []
    for cell in sheet[1]:
        if isinstance(cell.value, datetime.datetime):
            # To the minute, as a number of days is never exact.
            value = (cell.value + datetime.timedelta(milliseconds=1)).replace(second=0, microsecond=0)
            dates.append(value.isoformat(" ", "minutes"))
    found[path.name] = dates
print(json.dumps(found))
