import os,sys,traceback
import eng,en1,en2
for m in('xx1','xx2','xx3'):
    try: __import__(m)
    except ModuleNotFoundError: pass
from eng import *; from out import *
def one(name,group,lay,seed,lane,prod,rep='',**kw):
    if os.path.exists(os.path.join(OUT,name+'.json')): return
    try:
        a,b,g=lane.split(); s=scen(seed,a,b,g,**kw); d,src=LAY[lay][1](s); assert d.typ==LAY[lay][0] and d.layout==lay
        if prod=='soffice': src=src.replace('<br clear=all>','<br>')
        p=pdf(src,prod); pr={'docx':'soffice','xlsx':'soffice'}.get(prod,prod)
        if rep: repack(p,rep); pr+=', '+rep
        if group in 'adf': return save(name,group,pr,[d],open(p,'rb').read(),'pdf',npages(p))
        return d,p,pr
    except Exception as e: print('ERR',name,lay,e); traceback.print_exc(limit=-3)
A=[l.split('|') for l in '''bl-boxed-port|CNSHA USLAX house|chromium||MAEU
bl-marks-column|CNNGB USNYC lamp|wkhtmltopdf||EGLV
hbl-fbl|VNSGN GBFXT furn|chromium|gs|
hbl-us-nvocc|CNYTN USLGB lamp|wkhtmltopdf||
swb-grid|DEHAM USCHS mach|chromium|qpdf-obj|HLCU
swb-courier|CNTAO GBSOU tyre|chromium||CMDU
an-us-table|CNXMN USLAX stone|chromium||MSCU
an-carrier-letter|INMUN GBFXT text|wkhtmltopdf|qpdf-lin|ZIMU
do-us-form|CNSHA USNYC house|chromium||COSU
do-portal|TRIST GBFXT tile|chromium|gs|OOLU
bc-labels|CNSHA USSAV house|wkhtmltopdf||ONEY
bc-plan|BRSSZ USHOU coffee|chromium||MAEU
ci-letterhead|CNNGB CATOR bike|chromium||
ci-vat|DEHAM AUSYD tool|chromium|qpdf-lin|
pl-letterhead|CNTAO ZADUR tyre|wkhtmltopdf||
pl-erp|DEBRV USORF mach|chromium||
ce-7501|CNNGB USLAX house|chromium|gs|MAEU
ce-uk-sad|TRMER GBFXT fruit|chromium||MSCU
ce-broker-summary|INNSA USSAV text|wkhtmltopdf||HDMU
co-china|CNXMN USHOU stone|chromium||
co-chamber|TRIST AUMEL tile|chromium||
co-forma|VNHPH GBSOU furn|wkhtmltopdf|gs|
fi-forwarder|CNYTN USLGB lamp|chromium||YMLU
fi-carrier|INMUN GBFXT text|wkhtmltopdf|aes|CMDU
fi-demurrage|THLCH AUMEL furn|chromium|qpdf-obj|MSCU
ot-vgm|VNSGN USNYC furn|soffice||
ot-insurance|CNSHA ZADUR house|chromium||
ot-quote|CNNGB GBFXT lamp|chromium||OOLU
ci-latex|INNSA USNYC text|pdflatex||
hbl-latex|CNTAO AUSYD tyre|pdflatex|qpdf-lin|
pl-latex|DEHAM CAVAN tool|pdflatex||
an-latex-grid|MYPKG GBSOU house|pdflatex|gs|ONEY
bc-letter|ESVLC USNYC tile|soffice||HLCU
do-letter|IDJKT AUMEL furn|wkhtmltopdf||EGLV'''.split('\n')]
if __name__=='__main__':
    for i,(l,lane,p,rep,sc) in enumerate(A): one('u4-a%02d'%(i+1),'a',l,4100+i+(300 if i==17 else 0),lane,p,rep,scac=sc or None)
    try: import a_x; a_x.go(one)
    except ModuleNotFoundError: pass
