"""Programs that draw papers: Chromium, wkhtmltopdf, LaTeX, LibreOffice; and those that repack,
scan and read PDFs. Authors of rules do not open this package."""
import email.message
import email.policy
import os
import random
import re
import shutil
import subprocess
import tempfile
import threading
from datetime import datetime, timezone

import docx
import openpyxl
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from PIL import Image, ImageFilter

Image.MAX_IMAGE_PIXELS = None


def run(*args, **kw):
    p = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240, **kw)
    if p.returncode not in (0, 3):   # qpdf warns with 3
        raise RuntimeError(f"{args[0]}: {p.returncode}: {p.stdout[-800:].decode(errors='replace')}")


def smaller(pdf, *args):
    """Puts the objects of a large PDF into streams: Chromium leaves the structure of tags open."""
    if os.path.getsize(pdf) > 35000:
        run("qpdf", "--recompress-flate", "--compression-level=9", "--object-streams=generate", *args, pdf, pdf + ".tmp")
        os.replace(pdf + ".tmp", pdf)


LINES = {
    "en": ["All business is transacted subject to our standard trading conditions, a copy of which is available on request. Liability is limited.", "E. & O. E. This document was produced electronically and is valid without signature.", "In case of discrepancies please revert within 24 hours. Bank charges are for account of the remitter."],
    "de": ["Wir arbeiten ausschließlich auf Grundlage der Allgemeinen Deutschen Spediteurbedingungen 2017 (ADSp). Gerichtsstand ist Hamburg.", "Geschäftsführer: K. Petersen. Amtsgericht HRB 48213. USt-IdNr. DE811234567"],
    "fr": ["Nos prestations sont soumises à nos conditions générales, disponibles sur demande. SARL au capital de 250 000 euros, RCS B 412 885 021", "Tout litige relève du tribunal de commerce compétent."],
    "es": ["Sujeto a nuestras condiciones generales de contratación. Inscrita en el Registro Mercantil, tomo 4512, folio 88.", "Documento emitido electrónicamente, válido sin firma."],
    "it": ["Operiamo secondo le condizioni generali praticate dagli spedizionieri. Cap. soc. Euro 100.000 i.v. - P.IVA 01234567897"],
    "pt": ["Sujeito às condições gerais de prestação de serviços. Documento processado por computador."],
    "nl": ["Op al onze werkzaamheden zijn de Nederlandse Expeditievoorwaarden van toepassing. KvK 24187211."],
    "zh": ["本单据由系统生成，如有疑问请及时与我司联系。"],
}
STAMPS = ["ORIGINAL", "COPY", "CHECKED", "E-MAILED", "FILE COPY", "URGENT"]


def furniture(p, body):
    """What stands around the values on a sheet: how to reach the sender, conditions, a stamp."""
    r = p.r
    kind = r.randrange(6)
    if kind in (0, 3) and "<pre" not in body:
        tel = f"Tel. +{r.randrange(20, 99)} {r.randrange(10, 99)} {r.randrange(1000, 9999)} {r.randrange(100, 999)}"
        body = f"<div style='font-size:80%;text-align:{r.choice(['right', 'left', 'center'])};color:#444'>{tel} | docs@{r.choice(['ocean', 'cargo', 'desk'])}-{r.randrange(10, 99)}.example | www.desk{r.randrange(10, 99)}.example</div>" + body
    if kind in (1, 3, 4):
        body += f"<p style='font-size:{r.choice([70, 75, 80])}%;color:#555;margin-top:{r.choice([4, 12, 30])}mm'>{r.choice(LINES[p.lang])}</p>"
    if kind in (2, 4):
        body += f"<div style='text-align:{r.choice(['center', 'right'])};font-size:75%'>{r.choice(['1/1', '- 1 -', 'P. 1'])}</div>" if r.random() < .5 else ""
    if kind == 5 or r.random() < .12:
        body += f"<div style='position:absolute;top:{r.randrange(60, 190)}mm;left:{r.randrange(70, 130)}mm;border:2pt solid #b33;color:#b33;padding:3px 12px;font:bold 15pt sans-serif;opacity:.65;-webkit-transform:rotate({r.randrange(-14, 14)}deg);transform:rotate({r.randrange(-14, 14)}deg)'>{r.choice(STAMPS)}</div>"
    return body


def page(p, css, body):
    if p.furniture:
        body = furniture(p, body)
    return f"<!DOCTYPE html><html lang='{p.lang}'><head><meta charset='utf-8'><style>@page{{size:A4;margin:11mm}}body{{font-family:'{p.family}','Noto Sans CJK SC';font-size:{p.size}pt;margin:0}}table{{font-size:inherit}}h2{{font-size:150%}}{css}</style></head><body>{body}</body></html>"


def html(engine, source, out):
    with tempfile.TemporaryDirectory() as d:
        f = os.path.join(d, "p.html")
        open(f, "w").write(source)
        if engine == "wk":
            size = "Landscape" if "landscape" in source else "Portrait"
            run("wkhtmltopdf", "-q", "-s", "A4", "-O", size, "--margin-top", "11mm", "--margin-bottom", "11mm", "--margin-left", "11mm", "--margin-right", "11mm", f, out, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
        else:
            run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--print-to-pdf-no-header", f"--user-data-dir={d}/u", f"--print-to-pdf={out}", "file://" + f)
            smaller(out)


def tex_escape(s):
    s = "".join({"\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\^{}", "\u00a0": "~", "€": r"\texteuro{}", "'": "'", "\n": r"\newline "}.get(c, c) for c in s)
    return s


def tex(p, blocks, out, style):
    """Three styles: captions left, captions above in two columns with lines, running text."""
    e = tex_escape
    fonts = [r"\usepackage{lmodern}", r"\usepackage{mathptmx}", r"\usepackage[scaled=.92]{helvet}\renewcommand{\familydefault}{\sfdefault}", r"\usepackage{mathpazo}"][style % 4]
    body = []
    for b in blocks:
        if b[0] == "title":
            body.append([r"\begin{center}\Large\bfseries %s\end{center}", r"\noindent{\LARGE\scshape %s}\par\medskip\hrule\medskip", r"\section*{%s}"][style % 3] % e(b[1]))
        elif b[0] == "line":
            body.append(r"\noindent %s\par\smallskip" % e(b[1]))
        elif b[0] == "total":
            body.append(r"\hfill\textbf{%s\quad %s}\par" % (e(b[1]), e(b[2])))
        elif b[0] == "totals":
            body.append(r"\noindent\textbf{%s} \quad %s\par" % (e(b[1]), r" \quad ".join(e(f"{h}: {v}") for h, v in zip(b[3], b[2]) if v)))
        elif b[0] == "facts":
            if style % 3 == 1:
                pairs = b[1] + [("", "")] * (len(b[1]) % 2)
                cell = lambda c, v: r"\scriptsize %s\newline\normalsize %s" % (e(c), e(v)) if c else ""
                body.append(r"\noindent\begin{tabularx}{\textwidth}{|X|X|}\hline " + " ".join(cell(*pairs[i]) + " & " + cell(*pairs[i + 1]) + r"\\ \hline" for i in range(0, len(pairs), 2)) + r"\end{tabularx}\par\medskip")
            elif style % 3 == 0:
                body.append(r"\noindent\begin{tabularx}{\textwidth}{@{}p{52mm}X@{}}" + " ".join(r"\textit{%s} & %s\\[1pt]" % (e(c), e(v)) for c, v in b[1]) + r"\end{tabularx}\par\medskip")
            else:
                body.append("".join(r"\noindent\textsf{\footnotesize %s:} %s\par\vspace{2pt}" % (e(c), e(v).replace(r"\newline ", ", ") if len(v) < 400 else e(v)) for c, v in b[1]) + r"\medskip")
        else:
            head, rows = b[1], b[2]
            cols = "".join("X" if i == (0 if len(head) < 6 or "esc" in head[0].lower() else -1) or len(head) < 3 else "l" if i == 0 else "l" for i in range(len(head)))
            if "X" not in cols:
                cols = "X" + cols[1:]
            if len(rows) > 25:
                body.append(r"\noindent\begin{longtable}{%s}" % ("l" * len(head)) + " & ".join(r"\textbf{%s}" % e(h) for h in head) + r"\\ \hline\endhead " + " ".join(" & ".join(e(c) for c in r) + r"\\" for r in rows) + r"\hline\end{longtable}")
            elif style % 2:
                body.append(r"\noindent{\small\begin{tabularx}{\textwidth}{|%s|}\hline " % "|".join(cols) + " & ".join(e(h) for h in head) + r"\\ \hline " + " ".join(" & ".join(e(c) for c in r) + r"\\ \hline" for r in rows) + r"\end{tabularx}}\par\medskip")
            else:
                body.append(r"\noindent{\small\begin{tabularx}{\textwidth}{%s}\toprule " % cols + " & ".join(r"\textbf{%s}" % e(h) for h in head) + r"\\ \midrule " + " ".join(" & ".join(e(c) for c in r) + r"\\" for r in rows) + r"\bottomrule\end{tabularx}}\par\medskip")
    source = r"\documentclass[10pt,a4paper]{article}\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{textcomp,tabularx,booktabs,longtable,array}\usepackage[margin=18mm]{geometry}" + fonts + r"\pagestyle{empty}\begin{document}\sloppy " + "\n".join(body) + r"\end{document}"
    with tempfile.TemporaryDirectory() as d:
        open(d + "/p.tex", "w").write(source)
        for _ in range(2 if "longtable}{" in source else 1):
            run("pdflatex", "-interaction=nonstopmode", "-halt-on-error", "p.tex", cwd=d)
        shutil.copy(d + "/p.pdf", out)


def number(p, text):
    """The number and its decimals of a printed figure, or None."""
    thousands, point = __import__("paper").SEPARATORS[p.numbers]
    t = text.replace(thousands, "") if thousands else text
    t = t.replace(point, ".")
    if not re.fullmatch(r"\d+(\.\d+)?", t) or len(t) > 9 or t[0] == "0" and len(t) > 1 and t[1] != ".":
        return None
    return float(t) if "." in t else int(t), len(t.partition(".")[2])


def xlsx(p, blocks, out, style):
    """Styles: facts as two merged columns, as captions above boxes, or on a sheet of their own; the
    long tables may be on a second sheet."""
    wb = openpyxl.Workbook()
    ws = wb.active
    ws.title = ["Sheet1", "Document", "Data"][style % 3]
    thin = Border(*[Side(style="thin")] * 4)
    bold = Font(bold=True, name=p.family, size=10)
    plain = Font(name=p.family, size=9)
    wrap = Alignment(wrap_text=True, vertical=["top", "center"][style % 2])
    at = 1 + style % 3
    width = 7
    totals = None

    def put(ws, row, col, value, font=plain):
        c = ws.cell(row, col, value)
        c.font = font
        c.alignment = wrap
        return c

    for b in blocks:
        if b[0] == "title":
            put(ws, at, 1, b[1], Font(bold=True, name=p.family, size=14))
            ws.merge_cells(start_row=at, start_column=1, end_row=at, end_column=width)
            ws.cell(at, 1).alignment = Alignment(horizontal=["center", "left"][style % 2])
            at += 2
        elif b[0] == "line":
            put(ws, at, 1, b[1])
            ws.merge_cells(start_row=at, start_column=1, end_row=at, end_column=width)
            at += 1
        elif b[0] == "facts":
            for i, (cap, v) in enumerate(b[1]):
                n = number(p, v)
                value = getattr(v, "day", None) or (n[0] if n and len(v) < 6 else v)
                if style % 3 == 1:     # captions above, two to a row
                    col = 1 if i % 2 == 0 else 5
                    put(ws, at, col, cap, Font(name=p.family, size=7, color="555555"))
                    c = put(ws, at + 1, col, value)
                    for r in (at, at + 1):
                        ws.merge_cells(start_row=r, start_column=col, end_row=r, end_column=col + (3 if col == 1 else 2))
                    ws.row_dimensions[at + 1].height = max(ws.row_dimensions[at + 1].height or 14, 13 * (v.count("\n") + 1))
                    if i % 2 or i == len(b[1]) - 1:
                        at += 2
                else:
                    put(ws, at, 1, cap + (":" if style % 2 else ""), bold)
                    ws.merge_cells(start_row=at, start_column=1, end_row=at, end_column=2)
                    c = put(ws, at, 3, value)
                    ws.merge_cells(start_row=at, start_column=3, end_row=at, end_column=width)
                    ws.row_dimensions[at].height = 13 * (v.count("\n") + 1)
                    at += 1
                if hasattr(v, "day"):
                    c.number_format = v.format
                    c.alignment = Alignment(horizontal="left", vertical="top")
            at += 1
        elif b[0] == "table":
            if style % 4 == 3 and len(b[1]) > 3 and ws.title != "Lines":
                ws = wb.create_sheet("Lines")
                at = 1
            for j, h in enumerate(b[1]):
                c = put(ws, at, j + 1, h, bold)
                c.fill, c.border = PatternFill("solid", fgColor="DDDDDD"), thin
            first = at + 1
            for r in b[2]:
                at += 1
                for j, v in enumerate(r):
                    n = number(p, v)
                    caption = b[1][j].lower()
                    if n and not any(x in caption for x in ("seal", "hs", "code", "zegel", "sello", "siegel", "sigillo", "plomb", "precinto", "scell", "nomencl")):
                        c = put(ws, at, j + 1, n[0])
                        c.number_format = "#,##0" + ("." + "0" * n[1] if n[1] else "")
                    else:
                        c = put(ws, at, j + 1, v)
                    c.border = thin
            last = at
            if b[3]:
                at += 1
                totals = {}
                for j in b[3]:
                    L = get_column_letter(j + 1)
                    if len(b[1]) == 6 and j == 5 and "sum" in b[3][j] and len(b[3]) == 1:   # amount = quantity x price
                        for r in range(first, last + 1):
                            ws.cell(r, 6).value = f"=ROUND(C{r}*E{r},2)"
                    c = put(ws, at, j + 1, f"=SUM({L}{first}:{L}{last})", bold)
                    c.number_format, c.border = ws.cell(first, j + 1).number_format, thin
                    totals[j] = c
                put(ws, at, 1, "TOTAL", bold)
            at += 2
        elif b[0] == "total":
            ws.cell(at - 2, 1).value = b[1]     # the sum of the table is the total
        elif b[0] == "totals":
            pass
    for s in wb.worksheets:
        for j in range(1, 8):
            s.column_dimensions[get_column_letter(j)].width = [17, 15, 15, 13, 14, 15, 13][j - 1]
        s.page_setup.orientation, s.page_setup.paperSize, s.page_setup.fitToWidth, s.page_setup.fitToHeight = "portrait", 9, 1, 0
        s.sheet_properties.pageSetUpPr = openpyxl.worksheet.properties.PageSetupProperties(fitToPage=True)
    wb.properties.created = wb.properties.modified = datetime(2026, 1, 1, tzinfo=timezone.utc).replace(tzinfo=None)
    with tempfile.TemporaryDirectory() as d:      # LibreOffice computes the formulas and keeps their values
        wb.save(d + "/p.xlsx")
        soffice(d + "/p.xlsx", "xlsx", out)


def word(p, blocks, out, style):
    d = docx.Document()
    d.styles["Normal"].font.name = p.family
    d.styles["Normal"].font.size = docx.shared.Pt(9.5)
    for b in blocks:
        if b[0] == "title":
            d.add_heading(b[1], level=style % 2)
        elif b[0] == "line":
            d.add_paragraph(b[1])
        elif b[0] == "total":
            d.add_paragraph().add_run(f"{b[1]}: {b[2]}").bold = True
        elif b[0] == "totals":
            d.add_paragraph(f"{b[1]}: " + "; ".join(f"{h} {v}" for h, v in zip(b[3], b[2]) if v))
        elif b[0] == "facts":
            if style % 3 == 0:
                t = d.add_table(rows=0, cols=2)
                for c, v in b[1]:
                    r = t.add_row().cells
                    r[0].text, r[1].text = c, v
                    r[0].width, r[1].width = docx.shared.Cm(5), docx.shared.Cm(12)
            elif style % 3 == 1:
                t = d.add_table(rows=0, cols=2)
                t.style = "Table Grid"
                pairs = b[1] + [("", "")] * (len(b[1]) % 2)
                for i in range(0, len(pairs), 2):
                    r = t.add_row().cells
                    for cell, (c, v) in zip(r, pairs[i:i + 2]):
                        cell.text = ""
                        run_ = cell.paragraphs[0].add_run(c + ("\n" if c else ""))
                        run_.font.size = docx.shared.Pt(7)
                        cell.paragraphs[0].add_run(v)
            else:
                for c, v in b[1]:
                    q = d.add_paragraph()
                    q.add_run(c + ": ").bold = True
                    q.add_run(v.replace("\n", ", "))
        else:
            t = d.add_table(rows=1, cols=len(b[1]))
            if style % 2:
                t.style = "Table Grid"
            for cell, h in zip(t.rows[0].cells, b[1]):
                cell.text = ""
                cell.paragraphs[0].add_run(h).bold = True
            for r in b[2]:
                for cell, v in zip(t.add_row().cells, r):
                    cell.text = v
            d.add_paragraph("")
    d.core_properties.created = d.core_properties.modified = datetime(2026, 1, 1)
    d.save(out)


OFFICE = threading.Lock()


def soffice(source, kind, out):
    with OFFICE, tempfile.TemporaryDirectory() as d:
        run("soffice", f"-env:UserInstallation=file://{tempfile.gettempdir()}/draw-office-{os.getpid()}", "--headless", "--convert-to", kind, "--outdir", d, source)
        shutil.move(os.path.join(d, os.path.splitext(os.path.basename(source))[0] + "." + kind), out)


def mailtext(blocks):
    out = []
    for b in blocks:
        if b[0] in ("title", "line"):
            out += [b[1], ""]
        elif b[0] == "facts":
            for c, v in b[1]:
                v = v.split("\n")
                out.append(f"{c}: {v[0]}")
                out += [" " * (len(c) + 2) + x for x in v[1:]]
            out.append("")
        elif b[0] == "table":
            w = [max(len(x) for x in [h] + [r[i] for r in b[2]]) + 3 for i, h in enumerate(b[1])]
            out += ["".join(x.ljust(w[i]) for i, x in enumerate(r)).rstrip() for r in [b[1]] + b[2]] + [""]
        elif b[0] == "total":
            out += [f"{b[1]}: {b[2]}", ""]
    return "\n".join(out)


def mailhtml(blocks):
    import html as h
    e = lambda x: h.escape(x).replace("\n", "<br>")
    out = []
    for b in blocks:
        if b[0] == "title":
            out.append(f"<h3>{e(b[1])}</h3>")
        elif b[0] == "line":
            out.append(f"<p>{e(b[1])}</p>")
        elif b[0] == "facts":
            out.append("<table cellpadding=3>" + "".join(f"<tr><td><b>{e(c)}</b></td><td>{e(v)}</td></tr>" for c, v in b[1]) + "</table>")
        elif b[0] == "table":
            out.append("<table border=1 cellspacing=0 cellpadding=3><tr>" + "".join(f"<th>{e(x)}</th>" for x in b[1]) + "</tr>" + "".join("<tr>" + "".join(f"<td>{e(x)}</td>" for x in r) + "</tr>" for r in b[2]) + "</table>")
        elif b[0] == "total":
            out.append(f"<p><b>{e(b[1])}: {e(b[2])}</b></p>")
    return "<html><body style='font-family:Calibri,Arial;font-size:11pt'>" + "".join(out) + "</body></html>"


def mail(out, subject, text, rich=None, attachments=(), seed=0, sender="import@keystone-liner.example", to="traffic@consignee.example", cte="quoted-printable"):
    m = email.message.EmailMessage(policy=email.policy.SMTP)
    m["Subject"], m["From"], m["To"], m["Date"] = subject, sender, to, "Mon, 12 Jan 2026 09:14:00 +0000"
    m["Message-ID"] = f"<u1-{seed}@keystone-liner.example>"
    m.set_content(text, cte=cte)
    if rich:
        m.add_alternative(rich, subtype="html", cte="base64")
    for name, kind, data in attachments:
        m.add_attachment(data, maintype=kind[0], subtype=kind[1], filename=name)
    raw = m.as_bytes()
    for i, b in enumerate(dict.fromkeys(re.findall(rb'boundary="(===============\d+==)"', raw))):
        raw = raw.replace(b, b"----=_Part_%d_%d" % (seed, i))
    open(out, "wb").write(raw)


def repack(pdf, how):
    """Rewrites a PDF by Ghostscript or qpdf."""
    tmp = pdf + ".tmp"
    if how == "gs":
        run("gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", "-dCompatibilityLevel=1.5", "-o", tmp, pdf)
    elif how:
        args = {"linear": ["--linearize"], "objects": ["--object-streams=generate"], "plain": ["--object-streams=disable", "--stream-data=preserve"], "aes": ["--encrypt", "", "owner", "256", "--"],
                "rc4": ["--allow-weak-crypto", "--encrypt", "", "owner", "128", "--use-aes=n", "--"], "rc4-40": ["--allow-weak-crypto", "--encrypt", "", "owner", "40", "--"]}[how]
        run("qpdf", *args, pdf, tmp)
    else:
        return
    os.replace(tmp, pdf)


def pages(pdf):
    return int(subprocess.run(["qpdf", "--show-npages", pdf], stdout=subprocess.PIPE, check=False).stdout)


def pictures(pdf, dpi=200):
    with tempfile.TemporaryDirectory() as d:
        run("pdftoppm", "-r", str(dpi), "-gray", pdf, d + "/p")
        return [Image.open(os.path.join(d, f)).copy() for f in sorted(os.listdir(d))]


def scan(image, seed, skew, noise):
    """A sheet on a scanner: turned a little, grey paper, noise, a soft lens."""
    r = random.Random(seed)
    w, h = image.size
    image = image.convert("L").rotate(skew, Image.BICUBIC, expand=False, fillcolor=255)
    image = image.point(lambda v: int(18 + v * .88))
    if noise:
        import numpy
        a = numpy.asarray(image, dtype=numpy.float32)
        g = numpy.random.default_rng(seed)
        coarse = Image.fromarray((g.normal(128, 40, (h // 90, w // 90))).clip(0, 255).astype("uint8")).resize((w, h), Image.BICUBIC)
        a = a + g.normal(0, noise, a.shape) + (numpy.asarray(coarse, dtype=numpy.float32) - 128) * .05
        for _ in range(r.randrange(5, 40)):    # dust
            x, y = r.randrange(w - 3), r.randrange(h - 3)
            a[y:y + r.randrange(1, 3), x:x + r.randrange(1, 3)] = r.randrange(40, 150)
        image = Image.fromarray(a.clip(0, 255).astype("uint8"))
    return image.filter(ImageFilter.GaussianBlur(r.choice([.3, .5, .7])))


def bilevel(image):
    return image.point(lambda v: 255 if v > 150 else 0).convert("1")


def save_pages(images, out, quality, two=False):
    images = [bilevel(i) for i in images] if two else images
    images[0].save(out, save_all=True, append_images=images[1:], resolution=200, quality=quality, creationDate=datetime(2026, 1, 1).timetuple(), modDate=datetime(2026, 1, 1).timetuple())
