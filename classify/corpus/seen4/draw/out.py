import os,subprocess,json,shutil,random,io,re
from PIL import Image
W=os.path.join(os.getcwd(),'work'); OUT=os.path.join(os.getcwd(),'..','files'); os.makedirs(W,exist_ok=True)
N=['nice','-n','15']
def sh(*a,**k):
    r=subprocess.run(N+list(a),capture_output=True,cwd=W,timeout=120,**k)
    if r.returncode: raise Exception('%s: %s'%(a[0],(r.stdout+r.stderr)[-600:].decode('utf8','replace')))
    return r.stdout
def w(n,t): open(os.path.join(W,n),'wb' if isinstance(t,bytes) else 'w').write(t)
def pdf(src,prod):
    """src html text or latex; returns path in W"""
    o='o.pdf'
    p=os.path.join(W,o)
    if os.path.exists(p): os.remove(p)
    if prod=='chromium':
        w('p.html',src); sh('chromium','--headless','--no-sandbox','--disable-gpu','--no-pdf-header-footer','--print-to-pdf='+o,'p.html')
    elif prod=='wkhtmltopdf':
        w('p.html',src); sh('wkhtmltopdf','-q','-s','A4','-B','10','-T','10','-L','10','-R','10','p.html',o)
    elif prod=='pdflatex':
        w('o.tex',src); [sh('pdflatex','-interaction=nonstopmode','o.tex') for _ in (1,2)]
    elif prod=='soffice':
        w('o.html',src); sh('soffice','--headless','--infilter=HTML (StarWriter)','--convert-to','pdf:writer_pdf_Export','o.html')
    elif prod in('docx','xlsx'):
        w('o.'+prod,src); sh('soffice','--headless','--convert-to','pdf','o.'+prod)
    if not os.path.exists(p): raise Exception('no pdf '+prod)
    return p
def repack(p,how):
    q=os.path.join(W,'q.pdf')
    if how=='gs': sh('gs','-q','-dNOPAUSE','-dBATCH','-sDEVICE=pdfwrite','-sOutputFile=q.pdf','o.pdf')
    elif how=='qpdf-lin': sh('qpdf','--linearize','o.pdf','q.pdf')
    elif how=='qpdf-obj': sh('qpdf','--object-streams=generate','o.pdf','q.pdf')
    elif how.startswith('rot'): sh('qpdf','--rotate=+'+how[3:],'o.pdf','q.pdf')
    elif how=='aes': sh('qpdf','--encrypt','','owner','256','--','o.pdf','q.pdf')
    elif how.startswith('crot'):
        # turn in the content: rotate, then flatten
        sh('qpdf','--rotate=+'+how[4:],'o.pdf','r.pdf'); sh('qpdf','--flatten-rotation','r.pdf','q.pdf')
    else: return p
    shutil.move(q,p); return p
def npages(p): return int(sh('qpdf','--show-npages',p))
def pics(dpi,seed,mode='grey',skew=None):
    r=random.Random(seed)
    for f in os.listdir(W):
        if f.startswith('pg-'): os.remove(os.path.join(W,f))
    sh('pdftoppm','-r',str(dpi),'-gray','-png','o.pdf','pg')
    out=[]
    from PIL import ImageChops as C
    for f in sorted(x for x in os.listdir(W) if x.startswith('pg-')):
        im=Image.open(os.path.join(W,f)).convert('L')
        a=skew if skew is not None else r.uniform(.3,2)*r.choice([-1,1])
        im=im.rotate(a,resample=Image.BICUBIC,fillcolor=255)
        nz=Image.effect_noise(im.size,7 if mode=='grey' else 26)
        if mode=='grey': im=C.add(im.point(lambda v:int(v*.86+34)),nz,1,-128)
        else: im=C.add(im,nz,1,-128).point(lambda v:255 if v>150 else 0).convert('1')
        out.append(im)
    return out
def save(name,group,producer,docs,content,ext,pages):
    f='%s.%s'%(name,ext); open(os.path.join(OUT,f),'wb').write(content)
    j={'file':f,'group':group,'producer':producer,'pages':pages,'documents':[]}
    for i,d in enumerate(docs):
        o={'name':name if len(docs)==1 else '%s-%d'%(name,i+1),'layout':d.layout,'type':d.typ,'fields':d.f}
        if d.unj: o['unjudged']=d.unj
        if getattr(d,'att',None): o['attachment']=d.att
        j['documents'].append(o)
    json.dump(j,open(os.path.join(OUT,name+'.json'),'w'),ensure_ascii=False,indent=1)
    if ext=='pdf' and group in 'adf': chk(name,docs)
    return f
def chk(name,docs):
    t=subprocess.run(['pdftotext','-layout',os.path.join(OUT,name+'.pdf'),'-'],capture_output=True).stdout.decode('utf8','replace')
    low=re.sub(r'\s+','',t).lower()
    for d in docs:
        for k,p in d.printed:
            for wd in p.split():
                if wd.lower() not in low: print('!!',name,k,repr(p),'missing',repr(wd)); break
