import sys, subprocess as SP, shutil, glob, email.message, email.policy, email.utils
from lay6 import *
from truthnames import AREAS
from PIL import Image, ImageFilter, ImageChops
ROOT=os.getcwd(); F=ROOT+'/files/'; W=ROOT+'/w/'
def run(*a,cwd=None,ok=True):
    p=SP.run(['nice','-n','10',*a],cwd=cwd,stdout=SP.PIPE,stderr=SP.STDOUT,timeout=120)
    if p.returncode and ok: raise Exception(p.stdout.decode(errors='replace')[-800:])
    return p.stdout.decode(errors='replace')
PROD={'C':'Chromium','Ch':'Chromium, with its headers and footers','W':'wkhtmltopdf','O':'LibreOffice, from HTML','T':'pdfTeX','V':'pdfTeX, verbatim','D':'LibreOffice, from docx','X':'LibreOffice, from xlsx'}
def txthtml(out,size): return '<html><head><meta charset="utf-8"></head><body>'+''.join(f'<pre style="font:{size}pt \'Liberation Mono\',Courier;{"page-break-after:always" if i<out.count(chr(12)) else ""}">{H.escape(x,False)}</pre>' for i,x in enumerate(out.split('\f')))+'</body></html>'
def topdf(out,l,prod,key):
    b=W+key; pdf=b+'.pdf'
    if os.path.exists(pdf): os.remove(pdf)
    if l['mode']=='txt' and isinstance(out,str):
        if prod=='V': out=r'\documentclass[10pt]{article}\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}\usepackage[a4paper,margin=15mm]{geometry}\usepackage{courier}\pagestyle{empty}\begin{document}\footnotesize'+'\\newpage'.join('\\begin{verbatim}\n'+x+'\n\\end{verbatim}' for x in out.split('\f'))+r'\end{document}'; prod='T'
        else: out=txthtml(out,9)
    if prod in('C','Ch'):
        open(b+'.html','w').write(out); run('chromium','--headless','--no-sandbox','--disable-gpu',*(['--no-pdf-header-footer','--print-to-pdf-no-header'] if prod=='C' else []),'--user-data-dir='+W+'chr','--print-to-pdf='+pdf,'file://'+b+'.html')
    elif prod=='W':
        for q,z in (('Arial','"Liberation Sans"'),('"Times New Roman"','"Liberation Serif"'),('"Courier New"','"Liberation Mono"')): out=re.sub(r'(?<![",])'+q,z,out) if q=='Arial' else out.replace(q,z)
        out=out.replace('body{','body{zoom:1.2;',1)
        open(b+'.html','w').write(out); m=re.search(r'margin:(\d+)mm',out); m=m.group(1) if m else '12'; run('wkhtmltopdf','-q','-s','Letter' if 'size:Letter' in out else 'A4','-T',m+'mm','-B',m+'mm','-L',m+'mm','-R',m+'mm','--encoding','utf-8',b+'.html',pdf,ok=False)
    elif prod=='O':
        open(b+'.html','w').write(out); run('soffice','--headless','-env:UserInstallation=file://'+W+'lo','--infilter=HTML (StarWriter)','--convert-to','pdf:writer_pdf_Export','--outdir',W,b+'.html')
    elif prod=='T':
        open(b+'.tex','w').write(out); run('pdflatex','-interaction=nonstopmode','-output-directory',W,b+'.tex',ok=False); run('pdflatex','-interaction=nonstopmode','-output-directory',W,b+'.tex',ok=False)
    elif prod in 'DX':
        e='.docx' if prod=='D' else '.xlsx'; out.save(b+e); run('soffice','--headless','-env:UserInstallation=file://'+W+'lo','--convert-to','pdf','--outdir',W,b+e)
    if not os.path.exists(pdf): raise Exception('no pdf')
    return pdf
def post(pdf,how):
    q=pdf+'.q'
    if how=='gs': run('gs','-q','-dNOPAUSE','-dBATCH','-sDEVICE=pdfwrite','-sOutputFile='+q,pdf)
    elif how=='lin': run('qpdf','--linearize','--object-streams=generate',pdf,q)
    elif how=='obj': run('qpdf','--object-streams=generate','--compress-streams=y',pdf,q)
    elif how=='aes': run('qpdf','--encrypt','','owner77','256','--',pdf,q)
    elif how=='rc4': run('qpdf','--allow-weak-crypto','--encrypt','','owner77','128','--use-aes=n','--',pdf,q)
    elif how.startswith('rot'): run('qpdf','--rotate=+'+how[3:],pdf,q)
    elif how.startswith('turn'):
        a=how[4:]; tex=pdf+'-t'; n=pages(pdf); w,h=[float(x) for x in re.search(r'Page size:\s+([\d.]+) x ([\d.]+)',run('pdfinfo',pdf)).groups()]
        if a in('90','270'): w,h=h,w
        open(tex+'.tex','w').write(r'\documentclass{article}\usepackage{graphicx}\usepackage[papersize={%fbp,%fbp},margin=0pt]{geometry}\pagestyle{empty}\parindent0pt\topskip0pt\begin{document}'%(w,h)+''.join(r'\vbox to \textheight{\vss\hbox to \textwidth{\hss\includegraphics[scale=.97,page=%d,angle=%s]{%s}\hss}\vss}\newpage'%(i+1,a,os.path.basename(pdf)) for i in range(n))+r'\end{document}')
        run('pdflatex','-interaction=nonstopmode',os.path.basename(tex)+'.tex',cwd=W,ok=False); shutil.move(tex+'.pdf',q)
    shutil.move(q,pdf); return pdf
POST={'gs':'repacked by Ghostscript','lin':'linearised by qpdf','obj':'with object streams by qpdf','aes':'encrypted by qpdf, AES-256','rc4':'encrypted by qpdf, RC4','rot90':'/Rotate 90','rot180':'/Rotate 180','rot270':'/Rotate 270','turn90':'turned in the content by 90','turn180':'turned in the content by 180','turn270':'turned in the content by 270'}
def pages(pdf): return int(re.search(r'Pages:\s+(\d+)',run('pdfinfo',pdf)).group(1))
def check(name,pdf,t,log):
    x=run('pdftotext','-layout',pdf,'-'); flat=re.sub(r'\s','',x); raw=re.sub(r'\s','',run('pdftotext','-raw',pdf,'-'))
    norm=lambda s:re.sub(r'\s','',s).replace('\u00ad','')
    flat=flat.replace('ﬁ','fi').replace('ﬂ','fl'); raw=raw.replace('ﬁ','fi').replace('ﬂ','fl')
    for n,p in t.prints:
        if norm(p) in flat or norm(p) in raw: continue
        miss=[w for w in p.split() if w not in flat and w not in raw]
        if miss: log.append(f'{name}: {n}: {p!r} missing {miss}')
UNJ={'an-letter':['containers.packages','containers.gross_weight'],'an-cw':['notice_number'],'dx-an':['notice_number'],'em-an':['issue_date'],'do-release':['pickup_number'],'do-long':['deliver_to'],'ci-gb':['lines.origin'],'ci-zh':['lines.origin'],'xl-ci':['lines.origin'],'dx-pl':['issue_date'],'pl-zh':['marks'],'swb-web':['originals'],'bl-es':[],'an-de':['notice_number'],'fi-erp':[]}
def doc(name,t,l,**k):
    unj=list(t.unj)+UNJ.get(l['name'],[])
    names=AREAS[l['type']]
    if 'scac' in names and 'scac' not in t.f and re.match('[A-Z]{4}',str(t.f.get('bl_number',''))) and l['type']!='house_bill_of_lading': unj.append('scac')
    if (t.f.get('notify_party') or {}).get('name')=='SAME AS CONSIGNEE': unj.append('notify_party')
    f={a:b for a,b in t.f.items() if a in names}
    for a in t.f:
        if a not in names: print('  not in vocabulary',name,a)
    for a,b in f.items():
        if isinstance(b,list):
            for r in b:
                for m in list(r):
                    if f'{a}.{m}' not in names: del r[m]
            f[a]=[r for r in b if r]
    if 'lines' in unj: unj+=[n for n in names if n.startswith('lines.')]
    d={'name':name,'type':l['type'],'layout':l['name'],'fields':f}
    if unj: d['unjudged']=unj
    d.update(k); return d
def save(name,file,group,prod,n,docs):
    json.dump({'file':file,'group':group,'producer':prod,'pages':n,'documents':docs},open(F+name+'.json','w'),ensure_ascii=False,indent=1)
def scan(pdf,kind,seed,dpi=200,ang=None,side=0,jq=35):
    """pages as PIL pictures"""
    r=random.Random('scan'+seed); pre=pdf[:-4]+'-p'
    for f in glob.glob(pre+'*.p*m'): os.remove(f)
    run('pdftoppm','-r',str(dpi),'-gray',pdf,pre); out=[]
    for f in sorted(glob.glob(pre+'*.pgm')):
        im=Image.open(f).convert('L'); a=r.uniform(-2,2) if ang is None else ang
        bg=255 if kind=='bw' else r.randint(234,248)
        if kind=='gray': im=im.point(lambda v:int(40+v*(bg-40)/255)).filter(ImageFilter.GaussianBlur(0.6))
        im=im.rotate(a,resample=Image.BICUBIC,fillcolor=bg)
        if kind=='gray':
            n=Image.effect_noise(im.size,r.uniform(3.5,6)); im=ImageChops.add(im,n,1,-128)
        else:
            n=Image.effect_noise(im.size,r.uniform(27,37)); im=ImageChops.add(im.filter(ImageFilter.GaussianBlur(0.5)),n,1,-128); im=im.point(lambda v:255 if v>r_th else 0) if False else im.point(lambda v:255 if v>138 else 0).convert('1',dither=Image.NONE)
        if side: im=im.transpose({90:Image.ROTATE_90,180:Image.ROTATE_180,270:Image.ROTATE_270}[side])
        out.append(im)
    return out
def savepdf(ims,path,dpi,jq):
    # pictures as a PDF: JPEG or CCITT
    ims[0].save(path,'PDF',resolution=dpi,save_all=True,append_images=ims[1:],quality=jq)
def text(lay,prod,name,group,log,posts=(),**over):
    out,t,l=make(lay,over.pop('seed',name),**over); pdf=topdf(out,l,prod,name); check(name,pdf,t,log)
    for p in posts: post(pdf,p)
    shutil.copy(pdf,F+name+'.pdf'); save(name,name+'.pdf',group,', '.join([PROD[prod]]+[POST[p] for p in posts]),pages(pdf),[doc(name,t,l)])
def scanned(lay,prod,name,group,log,kind,fmt,side=0,dpi=200,ocr=False,jq=35,**over):
    out,t,l=make(lay,name,**over); pdf=topdf(out,l,prod,name); check(name,pdf,t,log); ims=scan(pdf,kind,name,dpi,side=side,ang=None if not ocr else random.Random(name).uniform(-.6,.6)); n=len(ims)
    what=f'scan at {dpi} dpi, '+('grey' if kind=='gray' else 'black and white')
    if ocr:
        parts=[]
        for i,im in enumerate(ims):
            f=W+f'{name}-o{i}.'+('jpg' if kind=='gray' else 'png'); im.save(f,dpi=(dpi,dpi),**({'quality':jq} if kind=='gray' else {'optimize':True})); b=W+f'{name}-o{i}'; run('tesseract',f,b,'-l','eng','--dpi',str(dpi),'pdf'); parts.append(b+'.pdf')
        if n==1: shutil.copy(parts[0],F+name+'.pdf')
        else: run('qpdf','--empty','--pages',*parts,'--',F+name+'.pdf')
        fn=name+'.pdf'; what='tesseract, '+what
    elif fmt=='pdf': fn=name+'.pdf'; savepdf(ims,F+fn,dpi,jq)
    else:
        assert n==1,(name,n); fn=name+'.'+fmt; ims[0].save(F+fn,dpi=(dpi,dpi),**({'quality':jq} if fmt=='jpg' else {'optimize':True}))
    save(name,fn,group,what,n,[doc(name,t,l)])
def office(lay,name,log,**over):
    out,t,l=make(lay,name,**over)
    if lay.startswith('xl'):
        out.save(W+name+'-s.xlsx'); os.makedirs(W+'xo',exist_ok=True); shutil.copy(W+name+'-s.xlsx',W+name+'.xlsx'); run('soffice','--headless','-env:UserInstallation=file://'+W+'lo','--convert-to','xlsx:Calc MS Excel 2007 XML','--outdir',W+'xo',W+name+'.xlsx'); shutil.copy(W+'xo/'+name+'.xlsx',F+name+'.xlsx')
        wb=openpyxl.load_workbook(F+name+'.xlsx',data_only=True); wf=openpyxl.load_workbook(F+name+'.xlsx')
        for ws in wf:
            for row in ws.iter_rows():
                for c in row:
                    if isinstance(c.value,str) and c.value.startswith('=') and wb[ws.title][c.coordinate].value is None: log.append(name+' no cached '+c.coordinate)
        save(name,name+'.xlsx','e','openpyxl, LibreOffice',1,[doc(name,t,l)])
    else: out.save(F+name+'.docx'); save(name,name+'.docx','e','python-docx',1,[doc(name,t,l)])
def mail(name,log,lay=None,att=(),subject='',body=None,alt=False):
    m=email.message.EmailMessage(policy=email.policy.SMTP); r=random.Random(name)
    m['From']=r.choice(['Import Desk <imports@wexcombe.example>','D. Overby <dean.overby@trelawny.example>','noreply@docs.valmare.example']); m['To']='operations@landside.example'; m['Subject']=subject; m['Date']=email.utils.format_datetime(D.datetime(2026,r.randint(1,10),r.randint(1,28),r.randint(7,18),r.randint(0,59),tzinfo=D.timezone.utc)); m['Message-ID']=f'<{name}.{r.randint(10**8,10**9)}@mail.example>'
    docs=[]
    if lay:
        out,t,l=make(lay,name); docs.append(doc(name,t,l))
        if l['mode']=='txt': m.set_content(out)
        else:
            if alt: m.set_content('This message is in HTML. Please use a mail program that shows HTML.')
            if alt: m.add_alternative(out,subtype='html')
            else: m.set_content(out,subtype='html')
    else: m.set_content(body)
    for i,(la,prod,fn,base) in enumerate(att):
        out,t,l=make(la,name+la,**({'base':base} if base else {})); pdf=topdf(out,l,prod,f'{name}-{i}') if prod not in('xlsx','docx') else None
        if prod=='docx': out.save(W+name+'.docx'); m.add_attachment(open(W+name+'.docx','rb').read(),maintype='application',subtype='vnd.openxmlformats-officedocument.wordprocessingml.document',filename=fn)
        if prod=='xlsx': out.save(W+name+'.xlsx'); os.makedirs(W+'xo',exist_ok=True); run('soffice','--headless','-env:UserInstallation=file://'+W+'lo','--convert-to','xlsx:Calc MS Excel 2007 XML','--outdir',W+'xo',W+name+'.xlsx'); m.add_attachment(open(W+'xo/'+name+'.xlsx','rb').read(),maintype='application',subtype='vnd.openxmlformats-officedocument.spreadsheetml.sheet',filename=fn)
        if pdf: check(name,pdf,t,log); data=open(pdf,'rb').read(); m.add_attachment(data,maintype='application',subtype='pdf',filename=fn)
        docs.append(doc(f'{name}-{i+1}' if len(att)>1 else name,t,l,attachment=fn))
    d0=[d['fields']['issue_date'] if 'issue_date' in d['fields'] else d['fields'].get('entry_date') or (d['fields'].get('eta') or '2026-05-05') for d in docs]; d0=D.date.fromisoformat(max(d0)[:10])+D.timedelta(r.randint(0,2)); del m['Date']; m['Date']=email.utils.format_datetime(D.datetime(d0.year,d0.month,d0.day,r.randint(7,18),r.randint(0,59),r.randint(0,59),tzinfo=D.timezone.utc))
    open(F+name+'.eml','wb').write(m.as_bytes()); save(name,name+'.eml','e','email package of Python',1,docs)
def bundle(name,parts,od,seed,kw={},posts=(),log=None):
    base=S('bundle/'+seed,*od,**kw); i=0
    while base.issue.day<13: i+=1; base=S(f'bundle/{seed}{i}',*od,**kw)
    docs=[];files=[];p=1; prods=[]
    for i,(la,prod,*ex) in enumerate(parts):
        over=ex[0] if ex else {}
        out,t,l=make(la,name,od=od,base=base,**{a:b for a,b in over.items() if a!='scan'}); pdf=topdf(out,l,prod,f'{name}-{i}'); check(name,pdf,t,log); n=pages(pdf)
        if over.get('scan'): savepdf(scan(pdf,'bw',name,200),pdf,200,40)
        docs.append(doc(f'{name}-{i+1}',t,l,pages=[p,p+n-1])); p+=n; files.append(pdf); prods.append(PROD[prod])
    run('qpdf','--empty','--pages',*files,'--',W+name+'.pdf')
    for x in posts: post(W+name+'.pdf',x)
    shutil.copy(W+name+'.pdf',F+name+'.pdf'); save(name,name+'.pdf','g',' + '.join(prods)+', joined by qpdf',p-1,docs)
JOBS=[]
def J(name,f,*a,**k): JOBS.append((name,f,a,k))
A='''bl-charges C|bl-ocean-us C gs|bl-es W|bl-tex T|hbl-fbl W obj|hbl-nvo C|hbl-mtd C|swb-box C|swb-web Ch|swb-fr O|an-us W|an-de C aes|an-cw C|an-nl O|do-cw W|do-release W lin|do-it O|do-pt C|bk-grid C|bk-cards C|bk-de W|bk-zh C|ci-us W|ci-de C|ci-es C gs|ci-fr O|ci-zh C|ci-tex T|pl-carton C|pl-open C obj|pl-pt W|pl-zh C|pl-erp V|ce-cds W|ce-sad W|ce-mx C|co-chamber C|co-forme C rc4|co-letter O|fi-cw C|fi-gb C|fi-de W|fi-erp C|fi-nl O|ot-ins C|ot-quote O|dx-bk D|an-es C|do-fr O|bk-es C lin|ci-it C|ci-land C|pl-de W|ce-fr C|co-es O|fi-fr O|ot-soa W|ot-pod C|ce-zh C|do-zh O|ci-pt C|an-pt W|bk-nl C|pl-it O|hbl-compact C gs|bl-dense C lin'''.split('|')
for i,x in enumerate(A):
    la,p,*po=x.split(); n=f'u3-a{i+1:02d}'; J(n,text,la,p,n,'a',posts=po)
B='''bl-dense C gray pdf|bl-charges C bw pdf|hbl-nvo C bw pdf|hbl-fbl C gray jpg|swb-box C bw png|an-us C gray pdf|an-courier W bw pdf|do-us C gray jpg|do-cw C bw pdf|bk-carrier C gray pdf|ci-us C bw png|pl-grid C gray pdf|ce-7501 C bw pdf|ce-3461 C bw pdf|co-forma C gray jpg|ot-sli C bw pdf'''.split('|')
for i,x in enumerate(B):
    la,p,k,f=x.split(); n=f'u3-b{i+1:02d}'; ov={'od':('CN','US')} if la=='hbl-fbl' else {}; J(n,scanned,la,p,n,'b',kind=k,fmt=f,**ov)
Cc='''bl-ocean-us C gray 200|hbl-compact C bw 200|hbl-courier W bw 300|hbl-mtd C bw 300|an-cw C bw 300|do-release C gray 200|bk-grid C bw 300|ci-tex T bw 300|ci-erp V bw 300|pl-erp W gray 200|ce-3461 W bw 300|co-letter C bw 200|fi-carrier C bw 300|fi-cw C gray 200|ot-vgm C bw 200'''.split('|')
for i,x in enumerate(Cc):
    la,p,k,dpi=x.split(); n=f'u3-c{i+1:02d}'; ov={'hbl-courier':{'od':('CN','GB')},'hbl-compact':{'od':('VN','US')},'ci-tex':{'od':('IN','US')},'bk-grid':{'od':('CN','US')},'an-cw':{'od':('CN','US')},'hbl-mtd':{'od':('IN','US')},'swb-box':{'od':('CN','US')},'do-release':{'od':('CN','GB')},'co-letter':{'od':('US','AE')},'bl-ocean-us':{'od':('US','AE')},'fi-carrier':{'od':('CN','US')}}.get(la,{}); J(n,scanned,la,p,n,'c',kind=k,fmt='pdf',dpi=int(dpi),ocr=True,**ov)
Dd='''swb-web C rot90|ci-gb C turn90|pl-grid W rot270|bl-tex T rot180|do-it W turn270|co-chamber C turn180|ot-po C rot90|bk-de C turn90'''.split('|')
for i,x in enumerate(Dd):
    la,p,po=x.split(); n=f'u3-d{i+1:02d}'; J(n,text,la,p,n,'d',posts=[po])
J('u3-d09',scanned,'fi-gb','C','u3-d09','d',kind='bw',fmt='pdf',side=90); J('u3-d10',scanned,'hbl-nvo','C','u3-d10','d',kind='gray',fmt='pdf',side=270)
for i,x in enumerate('xl-ci xl-pl xl-an xl-fi xl-bk xl-ci dx-an dx-co dx-hbl dx-do dx-bk'.split()): n=f'u3-e{i+1:02d}'; J(n,office,x,n)
J('u3-e12',mail,'u3-e12',lay='em-bk',subject='RE: booking request'); J('u3-e13',mail,'u3-e13',lay='em-do',subject='Dispatch please'); J('u3-e14',mail,'u3-e14',lay='em-an',subject='Arrival notice',alt=True); J('u3-e15',mail,'u3-e15',lay='em-fi',subject='Your invoice is ready')
J('u3-e16',mail,'u3-e16',att=[('bl-liner','C','scan_0047.pdf',None)],subject='Docs',body='Hi,\n\nattached as discussed on the phone. Originals follow by courier on Friday.\n\nRegards\nSonal\n')
_b=S('mail17','GB','US')
while _b.issue.day<13: _b=S('mail17'+str(_b.issue),'GB','US')
J('u3-e17',mail,'u3-e17',att=[('ci-gb','C','invoice.pdf',_b),('pl-open','W','packing.pdf',_b)],subject='FW: shipping documents',body='Please see attached.\n\n-----Original Message-----\nFrom: accounts\nSubject: shipping documents\n\nDocuments for this week\'s shipment.\n')
J('u3-e18',mail,'u3-e18',att=[('ce-sad','W','IM_A_copy8.pdf',None)],subject='Zollbeleg / customs document for your records',body='Good morning,\n\nplease find enclosed the customs document for your accounting department.\n\nKind regards\nImport customs team\n')
J('u3-e19',mail,'u3-e19',att=[('xl-pl','xlsx','PL rev2.xlsx',None)],subject='revised PL',body='Dear all,\n\nrevised version attached, please discard the previous one.\n\nThanks, Mai\n'); J('u3-e20',mail,'u3-e20',att=[('dx-an','docx','notification.docx',None)],subject='Shipment arriving',body='Good day,\n\nplease see attached and let us have your customs documents.\n\nRegards, Import Team\n')
for i,x in enumerate(['bl-rider C','an-longtex T','swb-longtxt W','do-long D','pl-long W','an-us C','swb-web C','bl-es W']):
    la,p=x.split(); n=f'u3-f{i+1:02d}'; J(n,text,la,p,n,'f',posts=['obj'] if la=='swb-web' else ['gs'] if la=='do-long' else [],**({'kw':{'n':{'an-us':42,'swb-web':40,'bl-es':47}[la]}} if la in('an-us','swb-web','bl-es') else {}))
J('u3-g01',bundle,'u3-g01',[('ci-gb','C'),('pl-open','W')],('GB','AU'),'1'); J('u3-g02',bundle,'u3-g02',[('bl-liner','C'),('ci-zh','C'),('pl-grid','W')],('CN','US'),'2',posts=['gs']); J('u3-g03',bundle,'u3-g03',[('an-us','C',{'opt':{'date':'Mon d, Y'}}),('do-us','W',{'opt':{'date':'Mon d, Y'}})],('VN','US'),'3'); J('u3-g04',bundle,'u3-g04',[('hbl-nvo','C'),('ci-erp','V',{'opt':{'date':'dMONY'}}),('pl-grid','C'),('co-forma','W')],('CN','US'),'4',posts=['lin']); J('u3-g05',bundle,'u3-g05',[('bl-tex','T'),('ci-tex','T'),('ot-fumi','C')],('IN','AU'),'5'); J('u3-g06',bundle,'u3-g06',[("fi-carrier","W"),("ot-dg","C"),("co-chamber","C"),("bl-tex","T")],("DE","US"),'6')
J('u3-g07',bundle,'u3-g07',[('an-cw','C'),('hbl-compact','C',{'scan':1}),('do-cw','W')],('CN','US'),'7')
h=lambda i,la,p,**k: J(f'u3-h{i:02d}',text,la,p,f'u3-h{i:02d}','h',**k)
h(1,'ci-gb','W',amb=True,od=('IN','AE'),opt={'date':'dmy'}); h(2,'pl-grid','C',amb=True,opt={'date':'dmy'},od=('CN','GB')); h(3,'do-us','C',amb=True); h(4,'hbl-nvo','C',amb=True,opt={'date':'mdy'}); h(5,'do-release','W',dec=True,low=True,opt={'date':'dmy','note':'<div style="font-size:7.5pt;text-align:right">All dates on this order are DD/MM/YYYY</div>'}); h(6,'an-us','W'); h(7,'fi-erp','V'); h(8,'ci-zh','C',opt={'date':'ymd/'}); h(9,'bk-zh','O'); h(10,'an-letter','O',opt={'date':'ddash'},od=('CN','ZA'))
if __name__=='__main__':
    want=sys.argv[1:]; log=[]
    for name,f,a,k in JOBS:
        if want and not any(re.match(w,name) for w in want): continue
        if not want and os.path.exists(F+name+'.json'): continue
        k=dict(k)
        try: f(*a,**({**k,'log':log}))if True else 0
        except Exception as e: print('FAIL',name,repr(e)[:600],flush=True)
        print(name,flush=True)
    print('\n'.join(log))
