"""Draws the second unseen papers: python3 draw.py. With the system's Python: needs chromium, wkhtmltopdf, xelatex, soffice,
gs, qpdf, tesseract, pdftoppm, PIL, openpyxl, python-docx; fonts Noto Sans CJK SC, Liberation, DejaVu."""
import os,sys,re,json,html,subprocess,random,hashlib,tempfile,datetime as dt,collections
from email.message import EmailMessage
from data import S
from forms import FORMS
OUT=os.path.join(os.path.dirname(os.path.abspath(__file__)),"..","files"); os.makedirs(OUT,exist_ok=True)
TMP=tempfile.mkdtemp()
V=json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)),"vocabulary.json")))
def blocks(form,s):
    out=[]
    for l in FORMS[form]["body"]:
        k,_,rest=l.partition(" ")
        if k=="L": out.append(("L",s.iss,s.iadr))
        elif k=="A": s.truth["scac"]=s.scac; out.append(("L",s.line,"As carrier"))
        elif k=="X": v=s.val(rest); out.append(("L",v[0],", ".join(v[1:])))
        elif k in"TPS": out.append((k,rest))
        else:
            cs=[c.rsplit(":",1) for c in rest.split("|")]; caps=[c for c,_ in cs]; fs=[f for _,f in cs]
            if k=="C": out.append(("G",caps,s.table("containers",fs)))
            elif k=="I": out.append(("G",caps,s.table("lines",fs)))
            elif k=="H": out.append(("G",caps,s.table("charges",fs)))
            elif k=="E":
                n=collections.Counter((c["size_type"],c["sp"]) for c in s.cont)
                agg={}
                for (z,p),m in n.items(): agg.setdefault(z,[p,0]); agg[z][1]+=m
                s.truth["equipment"]=[dict(quantity=str(m),size_type=z) for z,(p,m) in agg.items()]
                out.append(("G",caps,[[f"{m} x",p] for p,m in agg.values()]))
            else:
                vs=[[f[1:]] if f[0]=="=" else s.val(f) for f in fs]
                out.append(("G",caps,[[", ".join(v) for v in vs]]) if k=="G" else (k,list(zip(caps,vs))))
    return out
def truth(form,s,name,**kw):
    t=FORMS[form]["type"]; ok=V[t]; f={}
    for k,v in s.truth.items():
        if isinstance(v,list) and v and isinstance(v[0],dict):
            rows=[{a:b for a,b in r.items() if k+"."+a in ok} for r in v]
            if rows and rows[0]: f[k]=rows
        elif k in ok: f[k]=v
    u=["description"] if "description" in f else []
    if "place_of_receipt" in f and False: u.append("x")
    return dict(name=name,type=t,layout=form,fields=f,**({"unjudged":u} if u and f.get("containers") and False else {}),**kw)
FONT={"grid":"Liberation Sans","bare":"Liberation Mono","shade":"DejaVu Sans","lines":"Liberation Serif"}
def htm(bl,form,z=1):
    st=FORMS[form]["style"]; h=int(hashlib.md5(form.encode()).hexdigest(),16); e=html.escape
    b={"grid":"1px solid #000","bare":"none","shade":"1px solid #ccc","lines":"none"}[st]; bb={"lines":"border-bottom:1px solid #777;"}.get(st,"")
    fs=(8.5+h%3*.5)*z
    o=[f"<html><head><meta charset=utf-8><style>@page{{size:A4;margin:12mm}}body{{font:{fs}pt '{FONT[st]}','Noto Sans CJK SC'}}table{{width:100%;border-collapse:collapse;margin-bottom:{h%4*3}px}}td,th{{border:{b};{bb}padding:{2+h%3}px 4px;vertical-align:top;text-align:left}}th{{{'background:#dde4ee;' if st=='shade' else ''}font-size:{fs-1}pt}}tr{{page-break-inside:avoid}}.c{{font-size:{fs-2}pt;{'color:#345;' if h%2 else 'font-weight:bold;'}}}h1{{font-size:{13+h%5}pt;text-align:{['center','left','right'][h%3]};margin:6px 0}}.s{{border:2px solid #247;color:#247;display:inline-block;padding:6px;font-weight:bold}}</style></head><body>"]
    for x in bl:
        k=x[0]
        if k=="L": o.append(f"<div style='text-align:{['left','right','center'][h//3%3]}'><b style='font-size:12pt'>{e(x[1])}</b><br>{e(x[2])}</div>")
        elif k=="T": o.append(f"<h1>{e(x[1])}</h1>")
        elif k=="P": o.append(f"<p>{e(x[1])}</p>")
        elif k=="S": o.append(f"<div class=s>{e(x[1])}</div>")
        elif k=="B": o.append("<table><tr>"+"".join(f"<td width='{100//len(x[1])}%'><span class=c>{e(c)}</span><br>"+"<br>".join(e(l) for l in v)+"</td>" for c,v in x[1])+"</tr></table>")
        elif k=="K": o.append(f"<table style='width:{[100,75,85][h%3]}%'>"+"".join(f"<tr><td width='32%' class=c style='font-size:inherit'>{e(c)}{':' if h%2 else ''}</td><td>"+"<br>".join(e(l) for l in v)+"</td></tr>" for c,v in x[1])+"</table>")
        elif k=="G": o.append("<table><thead><tr>"+"".join(f"<th>{e(c)}</th>" for c in x[1])+"</tr></thead>"+"".join("<tr>"+"".join(f"<td{num(c)}>{e(c)}</td>" for c in r)+"</tr>" for r in x[2])+"</table>")
    return "\n".join(o)+"</body></html>"
def num(c): return " style='text-align:right'" if re.match(r"^(USD |EUR )?[\d., ]+( KGS| CBM)?$",c) else ""
def tex(bl,form):
    def e(t): return "".join({"&":r"\&","%":r"\%","#":r"\#","_":r"\_","$":r"\$","°":r"\textdegree{}"}.get(c,c) for c in t)
    st=FORMS[form]["style"]; bar="|" if st in("grid","shade") else ""; hl=r"\hline" if st!="bare" else ""
    o=[r"\documentclass[9pt,a4paper]{extarticle}\usepackage[margin=14mm]{geometry}\usepackage{fontspec,tabularx}\setmainfont{"+("Liberation Sans" if bar else "DejaVu Serif")+r"}\setlength\parindent{0pt}\setlength\tabcolsep{3pt}\renewcommand\tabularxcolumn[1]{>{\raggedright\arraybackslash}p{#1}}\begin{document}\pagestyle{empty}\small"]
    tab=lambda n,rows,spec=None:r"\begin{tabularx}{\linewidth}{"+(spec or bar+("X"+bar)*n)+"}"+hl+"\n"+"".join(r+r"\\"+hl+"\n" for r in rows)+r"\end{tabularx}\par\smallskip"
    for x in bl:
        k=x[0]
        if k=="L": o.append(r"{\large\bfseries "+e(x[1])+r"}\par "+e(x[2])+r"\par\smallskip")
        elif k=="T": o.append(r"\begin{center}\Large\bfseries "+e(x[1])+r"\end{center}")
        elif k=="P": o.append(e(x[1])+r"\par\smallskip")
        elif k=="S": o.append(r"\fbox{\bfseries "+e(x[1])+r"}\par\smallskip")
        elif k=="B":
            n=max(len(v) for _,v in x[1])
            rows=[" & ".join(r"{\scriptsize "+e(c)+"}" for c,_ in x[1])]+[" & ".join(e(v[i]) if i<len(v) else "" for _,v in x[1]) for i in range(n)]
            o.append(r"\begin{tabularx}{\linewidth}{"+bar+("X"+bar)*len(x[1])+"}"+hl+"\n"+"".join(r+"\\\\\n" for r in rows)+hl+r"\end{tabularx}\par\vspace{2pt}")
        elif k=="K": o.append(tab(2,[e(c)+" & "+r", ".join([e(l) for l in v]) for c,v in x[1]],bar+"p{5cm}"+bar+"X"+bar))
        elif k=="G": o.append(tab(len(x[1]),[" & ".join(r"\textbf{"+e(c)+"}" for c in x[1])]+[" & ".join(e(c) for c in r) for r in x[2]]))
    return "\n".join(o)+r"\end{document}"
def run(*a,**k): return subprocess.run(a,check=True,stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL,**k)
lo=[]
def pdf(name,form,s,prod):
    bl=blocks(form,s); p=f"{TMP}/{name}.pdf"; src=f"{TMP}/{name}.html"
    if prod=="LaTeX": open(f"{TMP}/{name}.tex","w").write(tex(bl,form)); subprocess.run(["xelatex","-interaction=batchmode",name+".tex"],cwd=TMP,stdout=subprocess.DEVNULL); assert os.path.exists(p),name
    else:
        open(src,"w").write(htm(bl,form,1.25 if prod=="wkhtmltopdf" else 1))
        if prod=="Chromium": run("chromium","--headless","--no-sandbox","--disable-gpu","--no-pdf-header-footer","--print-to-pdf="+p,src)
        elif prod=="wkhtmltopdf": subprocess.run(["wkhtmltopdf","-q","-s","A4",src,p],stderr=subprocess.DEVNULL)
        else:
            d=f"{TMP}/lo"; os.makedirs(d,exist_ok=True); docx(f"{d}/{name}.docx",bl); lo.append(name)
    return p
def docx(path,bl):
    import docx as D; from docx.shared import Pt,Cm
    d=D.Document(); d.styles["Normal"].font.size=Pt(9); d.styles["Normal"].font.name="Liberation Sans"; d.styles["Normal"].paragraph_format.space_after=Pt(2)
    for q in d.sections: q.left_margin=q.right_margin=q.top_margin=Cm(1.5)
    for x in bl:
        k=x[0]
        if k=="L": d.add_paragraph().add_run(x[1]).bold=True; d.add_paragraph(x[2])
        elif k=="T": d.add_heading(x[1],1)
        elif k in"PS": d.add_paragraph(x[1])
        else:
            rows=[[c+"\n"+"\n".join(v) for c,v in x[1]]] if k=="B" else [[c,"\n".join(v)] for c,v in x[1]] if k=="K" else [x[1]]+x[2]
            t=d.add_table(len(rows),len(rows[0])); t.style="Table Grid"
            for i,r in enumerate(rows):
                for j,c in enumerate(r): t.cell(i,j).text=c
            d.add_paragraph()
    d.save(path)
def xlsx(path,bl,two):
    import openpyxl; from openpyxl.styles import Font,Alignment
    w=openpyxl.Workbook(); z=w.active; z.title="Document"; r=1
    def put(r,c,v,b=False,to=None):
        m=re.match(r"^\d{1,3}(,\d{3})*(\.\d+)?$",v)
        z.cell(r,c,float(v.replace(",","")) if m and not b and "." in v else v).font=Font(bold=b)
        if m and "." in v: z.cell(r,c).number_format="#,##0.00"
        if to: z.merge_cells(start_row=r,start_column=c,end_row=r,end_column=to)
    for i in range(1,13): z.column_dimensions["ABCDEFGHIJKL"[i-1]].width=18
    for x in bl:
        k=x[0]
        if k=="L": put(r,1,x[1],True,6); put(r+1,1,x[2],to=6); r+=2
        elif k in"TPS": put(r,1,x[1],k=="T",8); r+=2
        elif k=="B":
            for j,(c,v) in enumerate(x[1]): put(r,1+j*3,c,True,3+j*3); put(r+1,1+j*3,"\n".join(v),to=3+j*3); z.cell(r+1,1+j*3).alignment=Alignment(wrap_text=True,vertical="top"); 
            z.row_dimensions[r+1].height=15*max(len(v) for _,v in x[1]); r+=3
        elif k=="K":
            for c,v in x[1]: put(r,1,c,True,2); put(r,3,", ".join(v),to=7); r+=1
            r+=1
        else:
            for j,c in enumerate(x[1]): put(r,1+j,c,True)
            for y in x[2]:
                r+=1
                for j,c in enumerate(y): put(r,1+j,c)
            j=len(x[1])
            if len(x[2])>1 and all(isinstance(z.cell(r-i,j).value,float) for i in range(len(x[2]))):
                L="ABCDEFGHIJKL"[j-1]; z.cell(r+1,j,f"=SUM({L}{r-len(x[2])+1}:{L}{r})"); z.cell(r+1,j).number_format="#,##0.00"; r+=1
            r+=2
    if two: n=w.create_sheet("Notes"); n["A1"]="Prepared by export department"; n["A2"]="Please check and confirm"
    w.save(path)
def pages(p): return int(subprocess.check_output(["qpdf","--show-npages","--password=",p]))
files=[]
def put(file,group,prod,np,docs):
    json.dump(dict(file=file,group=group,producer=prod,pages=np,documents=docs),open(f"{OUT}/{file.rsplit('.',1)[0]}.json","w"),ensure_ascii=False,indent=1); files.append(file)
def repack(i,p,o):
    k=i%9
    if k==1: run("gs","-q","-dNOPAUSE","-dBATCH","-sDEVICE=pdfwrite","-o",o,p); return ", Ghostscript"
    a={2:["--linearize"],4:["--object-streams=generate"],6:["--encrypt","","","256","--"],7:["--allow-weak-crypto","--encrypt","","","128","--use-aes=n","--"]}.get(k)
    if a: run("qpdf",*a,p,o); return ", qpdf "+{2:"linearised",4:"object streams",6:"AES-256",7:"RC4"}[k]
    run("cp",p,o); return ""
def scan(p,o,i,turn=0,bw=None):
    from PIL import Image,ImageFilter,ImageChops
    b=o.rsplit(".",1)[0]; run("pdftoppm","-r","200","-gray","-f","1","-l","1","-singlefile",p,f"{TMP}/sc")
    im=Image.open(f"{TMP}/sc.pgm"); r=random.Random(i); im=im.rotate(r.uniform(-2,2),resample=Image.BICUBIC,fillcolor=255)
    if turn: im=im.rotate(turn,expand=True)
    bw=i%2 if bw is None else bw; im=ImageChops.add(im.point(lambda v:int(v*.92+8)),Image.effect_noise(im.size,18),1,-128)
    if bw: im=im.point(lambda v:255 if v>150 else 0).convert("1")
    ext=o.rsplit(".",1)[1]
    if ext=="pdf": im.save(o,"PDF",resolution=200,quality=30)
    elif ext=="png": (im if bw else im.filter(ImageFilter.MedianFilter(3)).quantize(8)).save(o,optimize=True,dpi=(200,200))
    else: im.convert("L").save(o,quality=30,dpi=(200,200))
    return "black and white" if bw else "grey with noise"
P=list(FORMS); seed=[4100]
def new(form,**k):
    seed[0]+=1; f=FORMS[form]; return S(seed[0],k.pop("lang",f["lang"]),df=k.pop("df",f["df"]),**k)
def short(f): return 3 if FORMS[f]["lang"]=="en" else 2
def main():
    todo=[]
    # a
    for i,f in enumerate(P+["bl-liner","ci-classic"]):
        n=f"u2-a{i+1:02d}"; s=new(f); pr=["wkhtmltopdf","Chromium","LibreOffice","LaTeX"][i%4]
        if pr=="LaTeX" and FORMS[f]["lang"]=="zh": pr="Chromium"
        p=pdf(n,f,s,pr); todo.append((i,n,f,s,pr,p))
    # base papers of b, c, d, by types
    T=collections.defaultdict(list)
    for f in P: T[FORMS[f]["type"]].append(f)
    order=[l[j%len(l)] for j in (0,1,2) for l in T.values()]
    od=[f for f in order if FORMS[f]["lang"] in("en","es","de","fr")]
    for i in range(18): todo.append(("b",i,order[i]))
    for i in range(14): todo.append(("c",i,(od+od)[i]))
    for i in range(10): todo.append(("d",i,order[(i*7+5)%36]))
    if lo: run("soffice","--headless","--convert-to","pdf","--outdir",TMP,*[f"{TMP}/lo/{n}.docx" for n in lo])
    for x in todo:
        if x[0] in("b","c","d"):
            g,i,f=x; n=f"u2-{g}{i+1:02d}"; s=new(f); p=pdf(n+"-base",f,s,"wkhtmltopdf"); d=truth(f,s,n)
            if g=="b":
                ext=["pdf","jpg","png"][i%3]; how=scan(p,f"{OUT}/{n}.{ext}",i,bw=1 if ext=="png" else 0 if ext=="jpg" else i%2); put(f"{n}.{ext}",g,"wkhtmltopdf, scan "+how,1,[d])
            elif g=="c":
                scan(p,f"{TMP}/{n}.png",i,bw=1); run("tesseract",f"{TMP}/{n}.png",f"{OUT}/{n}","-l",{"es":"spa","de":"deu","fr":"fra"}.get(FORMS[f]["lang"],"eng"),"--dpi","200","pdf",env=dict(os.environ,OMP_THREAD_LIMIT="1")); put(n+".pdf",g,"tesseract 5 over a scan",1,[d])
            elif i<4: run("qpdf",f"--rotate=+{[90,180,270,90][i]}",p,f"{OUT}/{n}.pdf"); put(n+".pdf",g,"wkhtmltopdf, /Rotate",pages(p),[d])
            elif i<7: # turned in content: rotate, then take the key away
                run("qpdf",f"--rotate=+{[90,180,270][i-4]}",p,f"{TMP}/r.pdf"); run("qpdf","--flatten-rotation",f"{TMP}/r.pdf",f"{OUT}/{n}.pdf"); put(n+".pdf",g,"wkhtmltopdf, turned in its content",pages(p),[d])
            else: scan(p,f"{OUT}/{n}.pdf",i,turn=[90,270,180][i-7],bw=1); put(n+".pdf",g,"scan that lies sideways",1,[d])
        else:
            i,n,f,s,pr,p=x; o=f"{OUT}/{n}.pdf"; how=repack(i,p,o); put(n+".pdf","a",pr+how,pages(o),[truth(f,s,n)])
    # e
    E=["ci-classic","pl-classic","bc-line","an-line","pl-cont","fi-fwd","ci-zh","ot-quote","do-us","swb-line","coo-us","hbl-nvo","bl-plain","an-nvo","ce-7501","ci-es","bc-fwd","do-plain"]
    xl=[]
    for i,f in enumerate(E):
        n=f"u2-e{i+1:02d}"; s=new(f)
        if i<8: bl=blocks(f,s); xlsx(f"{TMP}/{n}.xlsx",bl,i%2); xl.append(f"{TMP}/{n}.xlsx"); put(n+".xlsx","e","openpyxl, LibreOffice",1,[truth(f,s,n)])
        elif i<12: docx(f"{OUT}/{n}.docx",blocks(f,s)); put(n+".docx","e","python-docx",1,[truth(f,s,n)])
        else:
            m=EmailMessage(); m["From"]="ops@alder-forwarding.example"; m["To"]="import@tessaly.example"; m["Date"]="Thu, 09 Apr 2026 09:12:00 +0200"; m["Message-ID"]=f"<{n}@alder-forwarding.example>"
            if i<15:
                a=f"{n}-paper.pdf"; p=pdf(n,f,s,"wkhtmltopdf"); m["Subject"]="Documents"; m.set_content("Dear all,\n\nplease find the document attached.\n\nKind regards\nOperations\n"); m.add_attachment(open(p,"rb").read(),maintype="application",subtype="pdf",filename=a); d=truth(f,s,n,attachment=a)
            else:
                bl=blocks(f,s); d=truth(f,s,n); m["Subject"]=next(x[1] for x in bl if x[0]=="T")
                if i==16: m.set_content("Please see the HTML part."); m.add_alternative(htm(bl,f),subtype="html")
                else:
                    t=[]
                    for x in bl:
                        if x[0] in"LTPS": t+=list(x[1:])+[""]
                        elif x[0] in"BK":
                            for c,v in x[1]: t.append(c+": "+("\n    ".join(v)))
                        else:
                            rows=[x[1]]+x[2]; w=[max(len(r[j]) for r in rows)+2 for j in range(len(x[1]))]
                            t+=[""]+["".join(c.ljust(w[j]) for j,c in enumerate(r)).rstrip() for r in rows]+[""]
                    m.set_content("\n".join(t)+"\n",cte="quoted-printable")
            open(f"{OUT}/{n}.eml","wb").write(m.as_bytes()); put(n+".eml","e","Python email",1,[d])
    run("soffice","--headless","--convert-to","xlsx","--outdir",OUT,*xl)
    # f
    for i,(f,pr) in enumerate(zip(["bl-liner","an-line","do-us","swb-line","hbl-nvo","bl-es","pl-cont","swb-de"],["wkhtmltopdf","Chromium","wkhtmltopdf","Chromium"]*2)):
        n=f"u2-f{i+1:02d}"; s=new(f,nc=64+i*8); p=pdf(n,f,s,pr); run("cp",p,f"{OUT}/{n}.pdf"); put(n+".pdf","f",pr,pages(p),[truth(f,s,n)])
    # g
    for i,fs in enumerate([["ci-classic","pl-classic"],["bl-plain","ci-de","pl-fr"],["an-nvo","fi-fwd","do-plain"],["hbl-fbl","coo-us"],["bc-de","ot-letter"],["swb-express","ci-it","pl-pt","ce-sad"]]):
        n=f"u2-g{i+1:02d}"; ds=[];ps=[];at=1
        for j,f in enumerate(fs):
            s=new(f); p=pdf(f"{n}-{j}",f,s,"wkhtmltopdf"); k=pages(p); ds.append(truth(f,s,f"{n}-{j+1}",pages=[at,at+k-1])); at+=k; ps.append(p)
        run("qpdf","--empty","--pages",*ps,"--",f"{OUT}/{n}.pdf"); put(n+".pdf","g","wkhtmltopdf, qpdf",at-1,ds)
    # h
    def either(s,k):
        d=s.d[k]; return {"either":sorted({d.isoformat(),dt.date(d.year,d.day,d.month).isoformat()})}
    for i,(f,df,how) in enumerate([("ci-classic","s","either"),("pl-cont","s","either"),("coo-us","u","either"),("ot-quote","s",""),("fi-fwd","s","ok"),("an-nvo","u","ok"),("bl-plain","s","ok"),("ci-it","s","ok"),("hbl-zh","w","ok"),("bc-zh","i","ok"),("do-fr","s","ok"),("swb-de","d","ok")]):
        n=f"u2-h{i+1:02d}"; s=new(f,df=df)
        if how=="either": s.d["issue_date"]=dt.date(2026,4+i,10-i)
        p=pdf(n,f,s,"wkhtmltopdf"); d=truth(f,s,n)
        if how=="either": d["fields"]["issue_date"]=either(s,"issue_date")
        run("cp",p,f"{OUT}/{n}.pdf"); put(n+".pdf","h","wkhtmltopdf",pages(p),[d])
    names=sorted(os.listdir(OUT))
    open(f"{OUT}/../MANIFEST","w").write("".join(hashlib.sha256(open(f"{OUT}/{x}","rb").read()).hexdigest()+"  "+x+"\n" for x in names))
main()
