import make; from make import *
def big(lay):
    ty,f=LAY[lay]
    def g(s):
        d,h=f(s); return d,h.replace('font-size:7px','font-size:9.5px').replace('font-size:6px','font-size:8px').replace('body{font:10px','body{font:12px').replace('body{font:9px','body{font:11px').replace('div style="font:9px','div style="font:11px').replace('div style="font:10px','div style="font:12px').replace('<small>','<span style="font-size:9.5px">').replace('</small>','</span>')
    LAY[lay]=(ty,g)
B=[l.split('|') for l in '''do-us-form|CNXMN USSAV stone|MAEU|grey|pdf
an-us-table|VNSGN USLGB furn|CMDU|bw|pdf
bl-marks-column|CNTAO USHOU tyre|OOLU|grey|jpg
hbl-fbl|TRMER GBFXT fruit||bw|pdf
co-china|CNNGB CAVAN bike||bw|png
swb-grid|DEBRV USSAV tool|HLCU|grey|pdf
pl-letterhead|CNSHA AUMEL house||bw|png
ci-letterhead|CNYTN ZADUR lamp||grey|jpg
fi-forwarder|CNSHA USNYC house|MSCU|bw|pdf
ce-7501|VNHPH USLAX furn|COSU|grey|pdf
bc-letter|INMUN GBSOU text|EGLV|bw|pdf
do-letter|MYPKG GBFXT house|ONEY|grey|pdf
ot-si|CNXMN USNYC stone|YMLU|bw|pdf
co-forma|IDJKT GBSOU furn||bw|pdf'''.split('\n')]
C=[l.split('|') for l in '''bl-boxed-port|INNSA USCHS text|MAEU|bw|300
hbl-us-nvocc|CNNGB USNYC house||bw|300
an-carrier-letter|THLCH AUSYD furn|ZIMU|grey|200
swb-courier|KRPUS CAVAN house|HDMU|bw|200
do-portal|CNTAO GBFXT tyre|CMDU|bw|200
bc-labels|TRIST USNYC tile|MSCU|bw|300
ci-vat|ITGOA AUMEL mach||bw|300
pl-latex|ESVLC USMIA tile||bw|200
fi-demurrage|CNSHA AUMEL house|OOLU|grey|200
co-chamber|EGALY GBFXT fruit||bw|200
ce-broker-summary|VNSGN USSAV furn|ONEY|bw|200
ot-insurance|CNYTN AUMEL lamp|COSU|bw|200'''.replace('USMIA','CATOR').split('\n')]
Dd=[l.split('|') for l in '''bl-marks-column|VNHPH USOAK furn|COSU|wkhtmltopdf|rot90
fi-carrier|BRSSZ USHOU coffee|MSCU|chromium|rot180
ce-uk-sad|CNXMN GBFXT stone|EGLV|chromium|rot270
co-forma|INNSA AUSYD text||chromium|crot90
pl-erp|DEHAM CAVAN tool||wkhtmltopdf|crot180
swb-grid|DEHAM BRSSZ mach|HLCU|chromium|rot90
do-us-form|CNSHA USLGB house|ZIMU|wkhtmltopdf|crot270
bc-plan|ITGOA USNYC oil|MAEU|chromium|rot180'''.split('\n')]
for i,(l,lane,sc,p,rep) in enumerate(Dd): one('u4-d%02d'%(i+1),'d',l,6100+i,lane,p,rep,scac=sc or None)
for l in {x[0] for x in B+C}:
    if 'latex' not in l: big(l)
for i,(l,lane,sc,mode,ext) in enumerate(B):
    n='u4-b%02d'%(i+1)
    if os.path.exists(os.path.join(OUT,n+'.json')): continue
    r=one(n,'b',l,7100+i,lane,'wkhtmltopdf' if i%2 else 'chromium','',scac=sc or None)
    if not r: continue
    d,p,pr=r; ims=pics(200,7100+i,mode); q=os.path.join(W,'s.'+ext)
    if ext=='pdf':
        ims[0].save(q,resolution=200,quality=36,save_all=True,append_images=ims[1:])
    elif ext=='jpg': ims[0].save(q,quality=38,dpi=(200,200))
    else: ims[0].save(q,dpi=(200,200),optimize=True)
    if ext!='pdf' and len(ims)>1: print('PAGES LOST',n)
    save(n,'b','scan of '+pr+', PIL',[d],open(q,'rb').read(),ext,len(ims))
for i,(l,lane,sc,mode,dpi) in enumerate(C):
    n='u4-c%02d'%(i+1)
    if os.path.exists(os.path.join(OUT,n+'.json')): continue
    r=one(n,'c',l,8100+i,lane,'pdflatex' if 'latex' in l else 'wkhtmltopdf' if i%2 else 'chromium','',scac=sc or None)
    if not r: continue
    d,p,pr=r; ims=pics(int(dpi),8100+i,mode,None if i%3 else 0.4); fs=[]
    for k,im in enumerate(ims):
        f='s%d.%s'%(k,'jpg' if mode=='grey' else 'png'); im.save(os.path.join(W,f),dpi=(int(dpi),)*2,**({'quality':38} if mode=='grey' else {})); fs.append(f)
    w('l.txt','\n'.join(fs)); os.environ['OMP_THREAD_LIMIT']='1'
    sh('tesseract','l.txt','t','-l','eng','pdf'); save(n,'c','scan of '+pr+', tesseract',[d],open(os.path.join(W,'t.pdf'),'rb').read(),'pdf',len(ims))
