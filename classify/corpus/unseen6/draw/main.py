# Draws the part: python3 main.py TARGET [NAME...]. Needs chromium, wkhtmltopdf, pdflatex and xelatex,
# soffice (writer, calc), gs, qpdf, pdftoppm, tesseract (eng deu fra spa ita nld por), python3 with PIL, numpy, openpyxl, docx;
# fonts of Debian: liberation, dejavu, lato, roboto, open-sans, carlito, caladea, courier-prime, ebgaramond, wqy-microhei, wqy-zenhei, lmodern.
import sys, os, json, subprocess, tempfile, shutil, hashlib, random, importlib, traceback, glob
from concurrent.futures import ThreadPoolExecutor
sys.dont_write_bytecode=True
here=os.path.dirname(os.path.abspath(__file__)); sys.path.insert(0,here)
import lib, reg, scan
for m in ['lay_chromium','lay_wk','lay_tex','lay_lo','lay_scan','lay_misc']:
    if os.path.exists(os.path.join(here,m+'.py')): importlib.import_module(m)

def run(*a,**k):
    p=subprocess.run(['nice']+list(a),stdout=subprocess.PIPE,stderr=subprocess.STDOUT,**k)
    if p.returncode: raise Exception(' '.join(a)+'\n'+p.stdout.decode(errors='replace')[-1500:])
    return p.stdout

def chromium(html,out,tmp):
    f=os.path.join(tmp,'p.html'); open(f,'w').write(html)
    run('chromium','--headless','--no-sandbox','--disable-gpu','--user-data-dir='+os.path.join(tmp,'prof'),'--no-pdf-header-footer','--print-to-pdf='+out,'file://'+f)
def wk(html,out,tmp,opt=()):
    f=os.path.join(tmp,'p.html'); open(f,'w').write(html)
    run('wkhtmltopdf','-q','--disable-smart-shrinking','--dpi','96','-T','12mm','-B','12mm','-L','12mm','-R','12mm',*opt,f,out)
def tex(src,out,tmp,eng='pdflatex'):
    open(os.path.join(tmp,'p.tex'),'w').write(src)
    for _ in range(2 if 'longtable' in src or 'lastpage' in src else 1): run(eng,'-interaction=nonstopmode','-halt-on-error','p.tex',cwd=tmp)
    shutil.copy(os.path.join(tmp,'p.pdf'),out)
def soffice(doc,out,tmp,ext='docx'):
    f=os.path.join(tmp,'p.'+ext)
    if ext=='docx': doc.d.styles['Normal'].font.name+=':-liga' # LibreOffice 7.4 maps ligatures to wrong characters
    else:
        from copy import copy
        for ws in doc:
            for row in ws.iter_rows():
                for c in row:
                    if c.value is not None: x=copy(c.font); x.name='Liberation Sans:-liga'; c.font=x
    doc.save(f)
    run('soffice','-env:UserInstallation=file://'+os.path.join(tmp,'lo'),'--headless','--convert-to','pdf','--outdir',tmp,f)
    shutil.copy(os.path.join(tmp,'p.pdf'),out)

def topdf(prod,content,out,tmp):
    if prod=='chromium': chromium(content,out,tmp); return 'Chromium'
    if prod=='wk': wk(content,out,tmp); return 'wkhtmltopdf'
    if prod=='tex': tex(content,out,tmp); return 'pdfLaTeX'
    if prod=='xetex': tex(content,out,tmp,'xelatex'); return 'XeLaTeX'
    if prod=='lo': soffice(content,out,tmp); return 'LibreOffice Writer'
    if prod=='calc': soffice(content,out,tmp,'xlsx'); return 'LibreOffice Calc'
    raise Exception(prod)

REPACK={0:'',1:'',2:'gs',3:'',4:'lin',5:'',6:'obj',7:'',8:'',9:'aes',10:'',11:'',12:'gs',13:'',14:'rc4',15:'',16:''}
def repack(how,f):
    t=f+'.t'
    if how=='gs': run('gs','-q','-dNOPAUSE','-dBATCH','-sDEVICE=pdfwrite','-sOutputFile='+t,f); w='Ghostscript'
    elif how=='lin': run('qpdf','--linearize',f,t); w='qpdf, linearised'
    elif how=='obj': run('qpdf','--object-streams=generate','--recompress-flate',f,t); w='qpdf, object streams'
    elif how=='aes': run('qpdf','--encrypt','','owner6','256','--',f,t); w='qpdf, AES-256 with an empty user password'
    elif how=='rc4': run('qpdf','--allow-weak-crypto','--encrypt','','owner6','128','--use-aes=n','--',f,t); w='qpdf, RC4 with an empty user password'
    os.replace(t,f); return '; repacked by '+w

def npages(f): 
    return int([l for l in run('pdfinfo',f).decode().split('\n') if l.startswith('Pages')][0].split()[1])

def build(r,seed):
    """The document(s) and content; seeds whose dates would be undecided are passed over."""
    for k in range(400):
        j=dict(r['job']); amb=j.pop('amb',False); o=j.pop('o'); de=j.pop('d'); kw={x:j.pop(x) for x in list(j) if x in('v',)}
        s=lib.ship('%s.%d'%(seed,k),o,de,**j); s.seed='%s.%d'%(seed,k); s.v=kw.get('v')
        res=r['fn'](s); ds=res[0] if isinstance(res[0],list) else [res[0]]
        for d in ds: d.amb=False; d.finish()
        a=any(d.amb for d in ds)
        if a==bool(amb): return ds,res[1:],s
    raise Exception('no seed')

def truth(d,name):
    x={'name':name,'layout':d.layout,'type':d.type,'fields':{} if d.type=='other' else d.f}
    if getattr(d,'att',None): x['attachment']=d.att
    if d.un: x['unjudged']=d.un
    return x

def make(name,r,files):
    with tempfile.TemporaryDirectory() as tmp:
        ds,res,s=build(r,name)
        g=r['group']; content=res[0]
        h=random.Random(name)
        if g in('a','f'):
            out=os.path.join(files,name+'.pdf'); prod=topdf(r['prod'],content,out,tmp); how=REPACK[r['i']%17]
            if how: prod+=repack(how,out)
        elif g in('b','c','d'):
            t=os.path.join(tmp,'o.pdf'); prod=topdf(r['prod'],content,t,tmp); out,p2=scan.scan(r,name,t,files,tmp,h,run,ds[0].lang); prod+=p2
        else:
            out=os.path.join(files,name+'.'+r['prod']); prod=res[1]
            if hasattr(content,'save'): content.save(out)
            else: open(out,'wb').write(content)
        n=npages(out) if out.endswith('.pdf') else 1
        docs=[truth(d,name if len(ds)==1 else '%s-%d'%(name,i)) for i,d in enumerate(ds,1)]
        json.dump({'file':os.path.basename(out),'group':g,'producer':prod,'pages':n,'documents':docs},open(os.path.join(files,name+'.json'),'w'),ensure_ascii=False,indent=1)

PRE={'bl':'bill_of_lading','hbl':'house_bill_of_lading','swb':'sea_waybill','an':'arrival_notice','do':'delivery_order','bk':'booking_confirmation','ci':'commercial_invoice','pl':'packing_list','ce':'customs_entry','co':'certificate_of_origin','fi':'freight_invoice','ot':'other'}
def choose(all):
    # group a: the first paper of each layout, then more of the types and producers that have few, to 100
    from collections import Counter
    A=[r for r in all if r['group']=='a']; rest=[r for r in all if r['group']!='a']
    P=lambda r:{'xetex':'tex','calc':'lo'}.get(r['prod'],r['prod']); ty=lambda r:PRE[r['fn'].__name__.split('_')[0]]
    got,later,seen=[],[],set()
    for r in A: (later if r['fn'] in seen else got).append(r); seen.add(r['fn'])
    t=Counter(map(ty,got)); p=Counter(map(P,got))
    while len(got)<100:
        r=min(later,key=lambda r:(t[ty(r)]>=8,p[P(r)],t[ty(r)])); later.remove(r); got.append(r); t[ty(r)]+=1; p[P(r)]+=1
    print(dict(t),dict(p)); return got+rest

def main():
    target=sys.argv[1]; only=set(sys.argv[2:]); files=os.path.join(target,'files'); os.makedirs(files,exist_ok=True)
    jobs=[]; reg.REG[:]=choose(reg.REG)
    for g in 'abcdef':
        L=[dict(r) for r in reg.REG if r['group']==g]; random.Random('order6').shuffle(L)
        for i,r in enumerate(L,1): r['i']=i; jobs.append(('u6-%s%02d'%(g,i),r))
    def one(j):
        if only and j[0] not in only and j[1]['fn'].__name__ not in only and j[1]['prod'] not in only and j[1]['group'] not in only: return
        for f in glob.glob(os.path.join(files,j[0]+'.*')): os.remove(f)
        try: make(j[0],j[1],files)
        except Exception as e: print('FAIL',j[0],j[1]['fn'].__name__,traceback.format_exc()[-900:],flush=True)
    with ThreadPoolExecutor(2) as ex: list(ex.map(one,jobs))
    names=sorted(os.listdir(files))
    with open(os.path.join(target,'MANIFEST'),'w') as m:
        for n in names: m.write('%s  %s\n'%(hashlib.sha256(open(os.path.join(files,n),'rb').read()).hexdigest(),n))
if __name__=='__main__': main()
