import sys,os,json,random,subprocess,shutil,io,datetime as dt
sys.path.insert(0,'papers/draw'); os.chdir('papers/w')
import lib,l1,l2,l3,l4,l5
from lib import *
from concurrent.futures import ThreadPoolExecutor
import fitz, numpy as np
from PIL import Image, ImageFilter
OUT='papers/files/'
def run(*a): subprocess.run(['nice']+list(a),check=True,stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL,timeout=120)
FOOT={'en':{'commercial_invoice':'Beneficiary bank: Meridian Commercial Bank, trade finance branch. Account 0048-22917-3. SWIFT MRDCXX22. All bank charges outside the country of the beneficiary are for the account of the buyer. E. &amp; O.E.','freight_invoice':'Remittance: Harbourline Bank, account 771-204418, SWIFT HBLNXX33. Claims against this invoice must be made in writing within 7 days of receipt. Our services are rendered subject to our terms and conditions of service, available on request, which limit our liability.','arrival_notice':'Vessel schedules are given in good faith and without guarantee. We do not accept responsibility for demurrage, detention, storage or per diem arising from late customs clearance, missing documents or examinations. Office hours Monday to Friday 08:30 - 17:00.','delivery_order':'The carrier or terminal is released from further liability upon delivery against this order. Waiting time and dry runs must be approved by our office before they are invoiced. Interchange receipt to be returned with proof of delivery.','booking_confirmation':'Cargo received after the closing may be rolled to the next available vessel. Containers must be picked up clean and odour free; any damage must be noted on the interchange. Hazardous cargo is accepted only with prior approval of the carrier.','packing_list':'Wood packaging material complies with ISPM 15. We certify that the particulars stated above are true and correct.','customs_entry':'','certificate_of_origin':''},
'de':{'freight_invoice':'Bankverbindung: Hansebank Nord, IBAN DE02 2005 0550 0000 4711 00, BIC HBNKDEXX. Gerichtsstand und Erfüllungsort ist Hamburg.','commercial_invoice':'Die Ware bleibt bis zur vollständigen Bezahlung unser Eigentum. Bankverbindung: Hansebank Nord, BIC HBNKDEXX.','arrival_notice':'Für Standgelder und Lagerkosten, die durch verspätete Weisungen entstehen, übernehmen wir keine Haftung.','delivery_order':'Es gelten die ADSp 2017. Ablieferquittung bitte innerhalb von 24 Stunden per E-Mail zurücksenden.','packing_list':'Das Verpackungsholz entspricht dem Standard ISPM 15.'},
'fr':{'freight_invoice':'En cas de retard de paiement, une indemnité forfaitaire de 40 euros sera exigée. Nos conditions générales de vente sont disponibles sur demande. Tribunal de commerce compétent : Le Havre.','commercial_invoice':'Réserve de propriété : les marchandises restent notre propriété jusqu\'au paiement intégral. Domiciliation bancaire : Banque du Littoral, BIC BQLTFRXX.','packing_list':'Les emballages bois sont conformes à la norme NIMP 15.'},
'es':{'freight_invoice':'Domiciliación: Banco del Litoral, BIC BLITESXX. Inscrita en el Registro Mercantil. En caso de impago se devengarán los intereses de demora legalmente establecidos.','commercial_invoice':'Domiciliación bancaria: Banco del Litoral, BIC BLITESXX. Los gastos bancarios fuera del país son por cuenta del comprador.','delivery_order':'El transportista deberá comprobar el estado del contenedor y del precinto antes de la retirada. Las demoras serán por cuenta del receptor.','booking_confirmation':'Las fechas están sujetas a cambios por parte de la naviera. Los contenedores entregados después del cierre no tienen garantía de embarque.','packing_list':'Embalajes de madera conformes a la norma NIMF 15.'},
'it':{'commercial_invoice':'Banca d\'appoggio: Banca del Golfo, BIC BGLFITXX. Eventuali reclami entro otto giorni dal ricevimento della merce.'},'pt':{'booking_confirmation':'As datas estão sujeitas a alteração pelo armador sem aviso prévio.'}}
def foot(layout,typ):
    lg=next((x for x in('de','fr','es','it','pt','nl','cn') if layout.endswith('-'+x)),'en')
    if layout=='docx-bk': lg='pt'
    return FOOT.get(lg,{}).get(typ,'')
def addfoot(layout,typ,k,c):
    t=foot(layout,typ)
    if not t or layout.startswith('h-'): return c
    if k=='html': return c.replace('</body>','<p class=small>'+t+'</p></body>')
    t=t.replace('&amp;','&')
    if k=='tex': return c.replace(r'\end{document}',r'\par\bigskip{\scriptsize '+t.replace('&',r'\&')+r'}\end{document}')
    if k=='docx': c.add_paragraph(t)
    return c
def make(layout,name,h=False,scn=None):
    d=REG[layout]
    for k in range(80):
        r=random.Random(f'u5/{name}/{layout}/{k}'); s=scn or Scn(r,**d['o'])
        if scn: s.r=r
        p=P(d['typ'],layout); path=f'{name}.xlsx'
        c=d['fn'](s,p,path) if d['kind']=='xlsx' else d['fn'](s,p)
        c=addfoot(layout,d['typ'],d['kind'],c)
        if h or not p.nums or max(p.nums)>12: return p,c,d
        if scn: return p,c,d
    raise Exception(layout)
def render(layout,name,prod,h=False,scn=None):
    """writes name.pdf in cwd, returns p"""
    p,c,d=make(layout,name,h,scn); k=d['kind']
    if k=='html':
        open(name+'.html','w').write(re.sub(r'font-size:([\d.]+)px',lambda m:'font-size:%.1fpx'%(float(m[1])*1.28),c) if prod.startswith('wk') else c)
        if prod.startswith('wk'): 
            env=dict(os.environ,QT_QPA_PLATFORM='offscreen'); subprocess.run(['nice','wkhtmltopdf','-q','-s',d['size'],'-T','10mm','-B','10mm','-L','10mm','-R','10mm','--encoding','utf-8',name+'.html',name+'.pdf'],env=env,timeout=120,stderr=subprocess.DEVNULL)
        else: run('chromium','--headless','--no-sandbox','--disable-gpu','--no-pdf-header-footer',f'--user-data-dir=papers/w/prof-{name}',f'--print-to-pdf={name}.pdf',name+'.html'); shutil.rmtree(f'papers/w/prof-{name}',ignore_errors=True)
    elif k=='tex':
        open(name+'.tex','w').write(c)
        for _ in range(2 if 'longtable' in c else 1): run('pdflatex','-interaction=nonstopmode','-halt-on-error',name+'.tex')
    elif k in('docx','xlsx'):
        if k=='docx': c.save(name+'.docx')
        run('soffice',f'-env:UserInstallation=file://papers/w/lo-{threading_id()}','--headless','--convert-to','pdf',f'{name}.{k}')
    assert os.path.exists(name+'.pdf'),name
    return p
import threading
def threading_id(): return threading.get_ident()%1000003
def base(layout,prod):
    k=REG[layout]['kind']; return {'html':'wkhtmltopdf' if prod.startswith('wk') else 'chromium','tex':'pdfLaTeX','docx':'LibreOffice Writer','xlsx':'LibreOffice Calc'}[k]
def repack(name,how):
    i,o=name+'.pdf',name+'-r.pdf'
    if how=='gs': run('gs','-q','-dNOPAUSE','-dBATCH','-sDEVICE=pdfwrite','-dCompatibilityLevel=1.5',f'-sOutputFile={o}',i); t='repacked by Ghostscript'
    elif how=='lin': run('qpdf','--linearize',i,o); t='linearised by qpdf'
    elif how=='obj': run('qpdf','--object-streams=generate','--recompress-flate',i,o); t='object streams by qpdf'
    elif how=='aes': run('qpdf','--encrypt','','u5owner','256','--',i,o); t='AES-256 with empty password by qpdf'
    else: return ''
    os.replace(o,i); return ', '+t
UNJ={'an-de':['consignee'],'an-nl':['consignee'],'bl-hapag':['booking_number'],'tex-swb':['booking_number']}
def doc(p,name,**x):
    p.unj=p.unj+UNJ.get(p.layout,[])
    d=dict(name=name,layout=p.layout,type=p.t,fields=p.f); d.update(x)
    if p.unj: d['unjudged']=p.unj
    return d
def put(name,ext,group,prod,pages,docs):
    json.dump(dict(file=name+ext,group=group,producer=prod,pages=pages,documents=docs),open(OUT+name+'.json','w'),ensure_ascii=False,indent=1)
def npg(f):
    d=fitz.open(f); return d.page_count
# ---- plans
B='bl-hmm bl-zim swb-oocl hbl-nvo-us hbl-express an-evergreen an-nl do-us-broker do-terminal-release bk-one ci-in pl-us cbp-3461 co-formA fi-dray ot-dg'.split()
CC='bl-hapag swb-cma-fr hbl-es an-es an-it do-de bk-fwd ci-de pl-fr dua-es co-usmca fi-fr fi-carrier-dd ot-ins an-maersk'.split()
HT=[k for k,v in REG.items() if v['kind']=='html' and not k.startswith(('f-','h-'))]
A=[k for k in HT if k not in B+CC]
WK=set('bl-maersk bl-evergreen an-msc-us an-de do-es bk-maersk bk-cma ci-asia ci-us ci-es pl-asia pl-es cbp-7501 co-de fi-us fbl ot-vgm'.split())
A2=A+['tex-conline','tex-swb','tex-ci','tex-pl','tex-an','tex-bk','tex-fi','docx-ci','docx-co','docx-bk','docx-do','xlsx-ci','xlsx-pl','xlsx-an','xlsx-bk']
A2+=['tex-ci','tex-swb','tex-an'][:max(0,60-len(A2))]
RE=['','','gs','','lin','','obj','','','aes','','','gs','lin','','','','obj','aes','']
def do_a(i,l):
    name=f'u5-a{i:02d}'; pr='wk' if l in WK else 'ch'; p=render(l,name,pr); x=repack(name,RE[(i*7)%20]); shutil.copy(name+'.pdf',OUT); put(name,'.pdf','a',base(l,pr)+x,npg(name+'.pdf'),[doc(p,name)])
def scan(pdf,dpi,ang,mode,seed):
    """list of PIL pages"""
    rg=np.random.default_rng(seed); out=[]; st=pdf[:-4]+'-s'
    run('pdftoppm','-r',str(dpi),'-gray',pdf,st)
    for f in sorted(x for x in os.listdir('.') if x.startswith(st) and x.endswith('.pgm')):
        im=Image.open(f).convert('L'); im=im.rotate(ang,resample=Image.BICUBIC,fillcolor=255).filter(ImageFilter.GaussianBlur(.55))
        a=np.asarray(im,dtype=np.float32); a=a*(238-28)/255+28+rg.normal(0,4.5,a.shape)
        a+=np.linspace(0,5,a.shape[1])[None,:]; im=Image.fromarray(np.clip(a,0,255).astype(np.uint8)); os.remove(f)
        if mode=='bw': im=im.point(lambda v:255 if v>158 else 0).convert('1')
        out.append(im)
    return out
def do_b(i,l):
    name=f'u5-b{i:02d}'; p=render(l,name,'ch'); r=random.Random(name); ang=round(r.uniform(-2,2),2); mode='bw' if i%3==0 else 'grey'
    ims=scan(name+'.pdf',200,ang,mode,i); ext=['.pdf','.jpg','.pdf','.png'][i%4]
    if len(ims)>1: ext='.pdf'
    if mode=='bw' and ext=='.jpg': ext='.png'
    if ext=='.pdf':
        kw=dict(quality=r.choice([60,70,80])) if mode!='bw' else {}
        ims[0].save(OUT+name+ext,'PDF',resolution=200,save_all=True,append_images=ims[1:],**kw)
    elif ext=='.jpg': ims[0].save(OUT+name+ext,quality=r.choice([65,75]),dpi=(200,200))
    else: ims[0].save(OUT+name+ext,dpi=(200,200))
    put(name,ext,'b','scan, 200 dpi, '+('black and white' if mode=='bw' else 'grey'),len(ims),[doc(p,name)])
LNG={'swb-cma-fr':'fra+eng','hbl-es':'spa','an-es':'spa','an-it':'Latin','do-de':'deu','ci-de':'deu','pl-fr':'fra','dua-es':'spa','fi-fr':'fra'}
def do_c(i,l):
    name=f'u5-c{i:02d}'; p=render(l,name,'ch'); r=random.Random(name); dpi=r.choice([200,300,300]); ang=round(r.uniform(-.5,.5),2); mode='bw' if i%3==1 else 'grey'
    ims=scan(name+'.pdf',dpi,ang,mode,100+i); os.remove(name+'.pdf'); fs=[]
    for j,im in enumerate(ims):
        f=f'{name}-{j}'+('.png' if mode=='bw' else '.jpg'); im.save(f,dpi=(dpi,dpi),**({} if mode=='bw' else dict(quality=72))); 
        subprocess.run(['nice','tesseract',f,f'{name}-o{j}','-l',LNG.get(l,'eng'),'pdf'],check=True,stderr=subprocess.DEVNULL,env=dict(os.environ,OMP_THREAD_LIMIT='1'),timeout=200); fs.append(f'{name}-o{j}.pdf')
    if len(fs)>1: run('qpdf','--empty','--pages',*fs,'--',OUT+name+'.pdf')
    else: shutil.copy(fs[0],OUT+name+'.pdf')
    put(name,'.pdf','c',f'tesseract, {dpi} dpi scan'+(', black and white' if mode=='bw' else ', grey'),len(ims),[doc(p,name)])
DD=[('bl-one','ch','rot90'),('an-fwd-us','wk','rot180'),('tex-bk','','rot270'),('xlsx-pl','','rot90'),('ci-cn','ch','con90'),('docx-hbl','','con270'),('bk-hapag','wk','con180'),('tex-an','','con180')]
def do_d(i,x):
    l,pr,how=x; name=f'u5-d{i:02d}'; p=render(l,name,pr); ang=int(how[3:])
    if how[0]=='r': run('qpdf',f'--rotate=+{ang}',name+'.pdf',OUT+name+'.pdf'); t=f', /Rotate {ang}'
    else:
        src=fitz.open(name+'.pdf'); o=fitz.open()
        for pg in src:
            w,h=pg.rect.width,pg.rect.height; w,h=(h,w) if ang%180 else (w,h); np_=o.new_page(width=w,height=h); np_.show_pdf_page(np_.rect,src,pg.number,rotate=ang)
        o.save(OUT+name+'.pdf',deflate=True,garbage=3); t=f', content rotated by {ang}'
    put(name,'.pdf','d',base(l,pr)+t,npg(OUT+name+'.pdf'),[doc(p,name)])
from email.message import EmailMessage
def mail(name,sub,text,html,att,r):
    m=EmailMessage(); m['From']='Import Desk <import@'+r.choice(['calvero','brantwick','norvio','tarvin'])+'-logistics.example>'; m['To']='operations@'+r.choice(['kestral','lorima','seldane'])+'-trading.example'; m['Subject']=sub; m['Date']='Tue, 12 May 2026 09:%02d:00 +0000'%r.randint(10,59); m['Message-ID']=f'<{D_(r,10)}.{name}@mail.example>'
    if text: m.set_content(text)
    if html:
        if text: m.add_alternative(html,subtype='html')
        else: m.set_content('<html><body>'+html+'</body></html>',subtype='html')
    for fn,data in att: m.add_attachment(data,maintype='application',subtype='pdf' if fn.endswith('pdf') else 'vnd.openxmlformats-officedocument.spreadsheetml.sheet',filename=fn)
    open(OUT+name+'.eml','wb').write(m.as_bytes(policy=m.policy.clone(linesep='\r\n')))
EE=['xlsx-ci','xlsx-pl','xlsx-an','xlsx-fi','xlsx-bk','xlsx-do','xlsx-ci:lo','docx-hbl','docx-do','docx-an','docx-ci','eml-an','eml-bk-html','eml-do','eml-an-de','eml-fi-html',('bk-cma',),('an-fwd-us',),('xlsx-pl',),('ci-asia','xlsx-pl')]
def do_e(i,x):
    name=f'u5-e{i:02d}'; r=random.Random(name)
    if isinstance(x,tuple):
        att=[];docs=[];pr=[]; sc=None
        if len(x)>1: sc=Scn(random.Random(name),o=['VNSGN','CNYTN'],d=USP)
        for j,l in enumerate(x):
            n2=f'{name}-{j}'; xl=l.startswith('xlsx')
            if xl: p,_,_=make(l,n2,scn=sc); ext='.xlsx'
            else: p=render(l,n2,'ch',scn=sc); ext='.pdf'
            fn={'commercial_invoice':'INVOICE','packing_list':'PACKING LIST','arrival_notice':'ArrivalNotice','booking_confirmation':'Booking'}[p.t]+('_'+p.f.get('invoice_number',p.f.get('booking_number',p.f.get('bl_number',''))))+ext
            att.append((fn,open(n2+ext,'rb').read())); docs.append(doc(p,n2,attachment=fn)); pr.append('XlsxWriter' if xl else 'chromium')
        mail(name,'Shipping documents','Dear all,\n\nPlease find attached the document(s) for your attention.\n\nBest regards\nDocumentation team\n',None,att,r); put(name,'.eml','e','Python email, attached '+' and '.join(pr),1,docs); return
    lo=x.endswith(':lo'); l=x.split(':')[0]; k=REG[l]['kind']; p,c,d=make(l,name)
    if k=='eml': mail(name,c[0],c[1],c[2],[],r); ext='.eml'; pr='Python email, '+('plain text' if c[1] else 'HTML')
    elif k=='docx': c.save(OUT+name+'.docx'); ext='.docx'; pr='python-docx'
    else:
        ext='.xlsx'; pr='XlsxWriter'
        if lo: run('soffice',f'-env:UserInstallation=file://papers/w/lo-{threading_id()}','--headless','--convert-to','xlsx:Calc MS Excel 2007 XML','--outdir','lox',name+'.xlsx'); shutil.copy('lox/'+name+'.xlsx',OUT); pr='LibreOffice Calc'
        else: shutil.copy(name+'.xlsx',OUT)
    put(name,ext,'e',pr,1,[doc(p,name)])
FF=[('f-bl-rider','ch'),('f-an',''),('f-pl',''),('f-swb','ch'),('f-do','wk'),('f-hbl','')]
def do_f(i,x):
    l,pr=x; name=f'u5-f{i:02d}'; p=render(l,name,pr); t=repack(name,['','','','obj','',''][i-1]); shutil.copy(name+'.pdf',OUT); put(name,'.pdf','f',base(l,pr)+t,npg(name+'.pdf'),[doc(p,name)])
GG=[(['ci-asia','pl-asia'],dict(o=['VNSGN','THLCH'],d=USP)),(['bl-cosco','ci-cn','pl-cn'],dict(o=['CNSHA'],d=['DEHAM','NLRTM'],car='COSU')),(['hbl-nvo-us','an-fwd-us'],dict(o=ASIA,d=USP)),(['tex-ci','tex-pl','co-formA'],dict(o=['VNHPH'],d=['FRLEH','ITGOA'])),(['f-bl-rider','ci-in','co-formA','pl-asia'],dict(o=['INNSA'],d=['NLRTM'],car='MSCU',n=(40,44))),(['an-msc-us','do-us-broker'],dict(o=ASIA,d=USP,car='MSCU'))]
def do_g(i,x):
    ls,o=x; name=f'u5-g{i:02d}'; docs=[]; fs=[]; at=1; pr=[]
    for t in range(200):
        sc=Scn(random.Random(f'{name}/{t}'),**o)
        if (sc.eta+dt.timedelta(1)).day>13 and sc.eta.day<23: break
    for j,l in enumerate(ls):
        n2=f'{name}-{j}'; w='wk' if (i+j)%3==0 and REG[l]['kind']=='html' and 'cn' not in l and 'cosco' not in l else 'ch'; p=render(l,n2,w,scn=sc); k=npg(n2+'.pdf'); docs.append(doc(p,f'{name}-{j+1}',pages=[at,at+k-1])); at+=k; fs.append(n2+'.pdf'); pr.append(base(l,w))
    run('qpdf','--empty','--pages',*fs,'--',OUT+name+'.pdf'); put(name,'.pdf','g',', '.join(dict.fromkeys(pr))+', merged by qpdf',at-1,docs)
HH=[('h-an-us','ch'),('h-ci-either','wk'),('h-fi-de','ch'),('h-bk-order','ch'),('h-do-dayname','wk'),('h-pl-pt','ch'),('h-co-fr','ch'),('h-pl-either','ch'),('h-an-cn','ch'),('h-bl-place','wk')]
def do_h(i,x):
    l,pr=x; name=f'u5-h{i:02d}'; p=render(l,name,pr,h=True); shutil.copy(name+'.pdf',OUT); put(name,'.pdf','h',base(l,pr),npg(name+'.pdf'),[doc(p,name)])
def cyc(l,k): return (l*3)[:k]
JOBS={'a':(do_a,A2[:60]),'b':(do_b,cyc(B,20)),'c':(do_c,cyc(CC,20)),'d':(do_d,DD),'e':(do_e,EE),'f':(do_f,FF),'g':(do_g,GG),'h':(do_h,HH)}
if __name__=='__main__':
    want=sys.argv[1:] or list('abcdefgh'); L=[]
    for w in want:
        f,items=JOBS[w[0]]
        for i,x in enumerate(items,1):
            if len(w)==1 or int(w[1:])==i: L.append((f,i,x))
    def one(j):
        f,i,x=j
        try: f(i,x)
        except Exception as e: print('FAIL',f.__name__,i,x,repr(e)[:300],flush=True)
    with ThreadPoolExecutor(2) as ex: list(ex.map(one,L))
    print(len(A),len(A2))
