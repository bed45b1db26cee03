"""Writes one table in the formats of spreadsheets and of JSON, and what pandas reads from them.

Run in this folder with pandas, openpyxl, odfpy and xlwt. `book.csv` is what `pandas.read_excel` gives for
the sheet `May` of `book.xlsx`, dates as ISO 8601; the other files are compared with it, too.
"""

import datetime
import json
import zipfile

import openpyxl
import pandas
import xlwt
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P

rows = []
for i in range(30):
    rows.append(
        {
            "id": f"C{1000 + i}",
            "income": None if i == 7 else round(30000 + 1234.5 * ((i * 7) % 11) + i / 8, 3),
            "count": i % 4,
            "active": i % 3 == 0,
            "since": datetime.datetime(2021, 1 + i % 12, 1 + i % 28, i % 24, 30),
            "town": None if i == 3 else ["Oslo", "Rome", "Bern"][i % 3],
        }
    )
names = list(rows[0])

book = openpyxl.Workbook()
sheet = book.active
sheet.title = "May"
sheet["B2"] = "Customers of the north"
sheet.merge_cells("B2:G2")
for at, name in enumerate(names):
    sheet.cell(4, 2 + at, name)
for r, row in enumerate(rows):
    for at, name in enumerate(names):
        sheet.cell(5 + r, 2 + at, row[name])
other = book.create_sheet("June")
other.append(["a", "b"])
other.append([1, 2])
book.save("book.xlsx")

old = xlwt.Workbook()
sheet = old.add_sheet("May")
style = xlwt.easyxf(num_format_str="YYYY-MM-DD HH:MM")
for at, name in enumerate(names):
    sheet.write(0, at, name)
for r, row in enumerate(rows):
    for at, name in enumerate(names):
        if row[name] is None:
            continue
        if name == "since":
            sheet.write(1 + r, at, row[name], style)
        else:
            sheet.write(1 + r, at, row[name])
old.save("book.xls")

document = OpenDocumentSpreadsheet()
table = Table(name="May")
line = TableRow()
for name in names:
    cell = TableCell(valuetype="string")
    cell.addElement(P(text=name))
    line.addElement(cell)
table.addElement(line)
for row in rows:
    line = TableRow()
    for name in names:
        value = row[name]
        if value is None:
            cell = TableCell()
        elif isinstance(value, bool):
            cell = TableCell(valuetype="boolean", booleanvalue=str(value).lower())
        elif isinstance(value, datetime.datetime):
            cell = TableCell(valuetype="date", datevalue=value.isoformat())
        elif isinstance(value, str):
            cell = TableCell(valuetype="string")
            cell.addElement(P(text=value))
        else:
            cell = TableCell(valuetype="float", value=str(value))
        line.addElement(cell)
    table.addElement(line)
document.spreadsheet.addElement(table)
document.save("book.ods")

frame = pandas.read_excel("book.xlsx", sheet_name="May", header=3, usecols="B:G")
frame["since"] = frame["since"].dt.strftime("%Y-%m-%dT%H:%M:%S")
frame.to_csv("book.csv", index=False)
frame.to_json("records.json", orient="records", indent=1)
frame.to_json("lines.jsonl", orient="records", lines=True)
frame.to_json("columns.json")
frame.to_json("split.json", orient="split")
with open("lists.json", "w") as out:
    values = frame.astype(object).where(frame.notna(), None).values.tolist()
    json.dump([names] + values, out)
for name in ["records.json", "columns.json", "split.json"]:
    orient = name.split(".")[0]
    again = pandas.read_json(name, orient=orient, convert_dates=False)
    pandas.testing.assert_frame_equal(again.reset_index(drop=True), frame, check_dtype=False)
with zipfile.ZipFile("book.zip", "w", zipfile.ZIP_DEFLATED) as out:
    out.write("book.csv", "in/book.csv")
