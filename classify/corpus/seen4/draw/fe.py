import make; from make import *
import en2
from eng import *
def many(s,n,mixed=True):
    r=s.r; pref=CAR[s.scac][3]; s.con=[]; seen=set()
    g=GOODS['food'][0]
    loc=s.pol[0][2:]; base=r.randint(2000000,8000000)
    for i in range(n):
        while 1:
            b=r.choice(pref+['TCLU','TGHU','FCIU','BMOU'])+'%06d'%r.randint(100000,999999)
            if b not in seen: break
        base+=r.choice([1,1,1,4]); seen.add(b); pk=r.randint(640,1180); ty=r.choice(['40HC','40HC','20GP']) if mixed else '40HC'
        s.con.append(dict(no=b+str(cdig(b)),seal='%s%07d'%(loc,base),ty=ty,pk=pk,gw=round(pk*17.4+r.randint(0,9)/10,1),vol=round(pk*.021,2)))
    s.pk=sum(c['pk'] for c in s.con); s.gw=round(sum(c['gw'] for c in s.con),1); s.vol=round(sum(c['vol'] for c in s.con),2); s.nw=round(s.gw*.88,1)
    l=s.lines[0]; s.lines=[l]; s.pkw=l['pkw']; l.update(pk=s.pk,gw=s.gw,nw=s.nw,vol=s.vol,qty=s.pk); s.mark=s.mark.split('C/NO')[0]+'C/NO. 1-%d'%s.pk
@lay('f-bl-rider','bill_of_lading')
def _(s):
    many(s,46); d=Doc('bill_of_lading','f-bl-rider'); d.c('scac',s.scac,s.linefull)
    k=en2.k; n20=sum(c['ty']=='20GP' for c in s.con)
    h='<table width=100%%><tr><td><b style="font-size:16px">%s</b></td><td class=r><b>BILL OF LADING</b> - ORIGINAL</td></tr></table><table width=100%%><tr>%s%s</tr><tr>%s%s</tr><tr>%s%s</tr></table><table width=100%%><tr>%s%s%s</tr><tr>%s%s%s</tr></table>'%(s.linefull,k('Shipper',d.pa('shipper',s.exp),'width=55%'),k('Bill of Lading No.',d.n('bl_number',s.bl)),k('Consignee',d.pa('consignee',s.imp)),k('Booking Ref.',d.n('booking_number',s.bkg)),k('Notify Party',d.pa('notify_party',s.ntf)),k('No. of Original B/L',d.c('originals','3','3/THREE')),k('Vessel',d.t('vessel',s.ship)),k('Voyage',d.n('voyage',s.voy)),k('Freight',d.c('freight_terms','prepaid','FREIGHT PREPAID')),k('Port of Loading',d.pl('port_of_lading',s.pol,'uc')),k('Port of Discharge',d.pl('port_of_discharge',s.pod,'uc')),k('Place of Delivery',''))
    h+='<p>DESCRIPTION OF GOODS (as per attached list of %d containers: %d x 40HC, %d x 20GP)</p><p>%s</p><p>TOTAL %s %s, GROSS WEIGHT %s KGS, MEASUREMENT %s CBM</p><p>Shipped on board: %s &nbsp;&nbsp; Place of issue: %s &nbsp;&nbsp; Date of issue: %s</p><div style="page-break-before:always"></div><p><b>ATTACHED LIST TO B/L %s</b></p>'%(len(s.con),len(s.con)-n20,n20,d.pr('description',s.lines[0]['desc'].upper()),num(s.pk,0),s.pkw,num(s.gw,1),num(s.vol,2),d.d('on_board_date',s.ob,'dMy'),d.pl('issue_place',s.pol),d.d('issue_date',s.ob,'dMy'),s.bl)
    h+='<table width=100% border=1 cellpadding=3><thead><tr><th>No.<th>Container<th>Seal<th>Type<th>Cartons<th>Gross weight KGS<th>CBM</tr></thead>'
    for i,c in enumerate(s.con):
        r=d.row('containers'); h+='<tr><td>%d<td>%s<td>%s<td>%s<td class=r>%s<td class=r>%s<td class=r>%s</tr>'%(i+1,r.n('number',c['no']),r.n('seal',c['seal']),r.c('size_type',c['ty'],TY[c['ty']][0]),r.q('packages',c['pk'],'plain'),r.m('gross_weight',c['gw'],1,'en',''),r.v('volume',c['vol'],2,'en',''))
    return d,page(h+'</table>',title='BL')
@lay('f-an-list','arrival_notice')
def _(s):
    many(s,64); d=Doc('arrival_notice','f-an-list'); d.c('scac',s.scac,s.line)
    h='<h3>%s &ndash; Arrival Notice</h3><table cellpadding=2><tr><td>Notice no.<td>%s<td>Date<td>%s</tr><tr><td>Carrier<td>%s<td>B/L no.<td>%s</tr><tr><td>Vessel<td>%s<td>Voyage<td>%s</tr><tr><td>Load port<td>%s<td>Discharge port<td>%s</tr><tr><td>ETA<td>%s<td>Free time ends<td>%s</tr><tr><td>Terminal<td>%s<td>Consignee<td>%s</tr></table><br><table width=100%% cellpadding=5 style="font-size:12px"><thead><tr style="background:#ddd"><th>Container no.<th>Seal no.<th>Size/type<th>Pkgs<th>Weight (kg)</tr></thead>'%(s.ntf[0],d.n('notice_number','N%06d'%s.r.randint(1e5,9e5)),d.d('issue_date',s.notice,'d-M-y'),s.line,d.n('bl_number',s.bl),d.t('vessel',s.ship),d.n('voyage',s.voy),d.pl('port_of_lading',s.pol,'n(c)'),d.pl('port_of_discharge',s.pod,'n(c)'),d.d('eta',s.eta,'d-M-y'),d.d('last_free_day',s.lfd,'d-M-y'),d.t('terminal',s.term[0]),d.pa('consignee',s.imp))
    for c in s.con:
        r=d.row('containers'); h+='<tr><td>%s<td>%s<td>%s<td>%s<td>%s</tr>'%(r.n('number',cn(c['no'],1)),r.n('seal',c['seal']),r.c('size_type',c['ty'],TY[c['ty']][1]),r.q('packages',c['pk'],'plain'),r.m('gross_weight',c['gw'],0,'plain',''))
    return d,page(h+'</table>',title='AN')
@lay('f-do-courier','delivery_order')
def _(s):
    many(s,60); d=Doc('delivery_order','f-do-courier'); P=[]; L=[]; a=L.append
    hd=lambda n:['%-60sPAGE %d OF 2'%(s.ntf[0],n),'DELIVERY ORDER NO. %s'%DO,'-'*74,'%-4s%-16s%-14s%-8s%10s%14s'%('NO','CONTAINER','SEAL','TYPE','PKGS','WEIGHT KG'),'-'*74]
    DO=d.n('do_number','DO-%06d'%s.r.randint(1e5,9e5))
    first=['%-60sPAGE 1 OF 2'%s.ntf[0],'DELIVERY ORDER NO. '+DO,'','DATE ISSUED   : '+d.d('issue_date',s.eta,'dMy'),'BILL OF LADING: '+d.n('bl_number',s.bl),'VESSEL/VOYAGE : '+d.t('vessel',s.ship)+' / '+d.n('voyage',s.voy),'TERMINAL      : '+d.t('terminal',s.term[0]),'HAULIER       : '+d.pa('trucker',('MERIDIAN BOXLINE CARRIERS',[])),'DELIVER TO    : '+d.pa('deliver_to',(s.imp[0],[])),'LAST FREE DAY : '+d.d('last_free_day',s.lfd,'dMy'),'EMPTY RETURN  : '+d.t('empty_return','GREENBANK DEPOT'),'']+hd(1)[2:]
    rows=[]
    for i,c in enumerate(s.con):
        r=d.row('containers'); rows.append('%-4d%-16s%-14s%-8s%10s%14s'%(i+1,r.n('number',c['no']),r.n('seal',c['seal']),r.c('size_type',c['ty'],TY[c['ty']][3]),r.q('packages',c['pk'],'plain'),r.m('gross_weight',c['gw'],1,'plain','')))
    e=lambda x:html.escape(html.unescape('\n'.join(x)))
    return d,page('<pre style="font:11px Liberation Mono;page-break-after:always">'+e(first+rows[:38])+'</pre><pre style="font:11px Liberation Mono">'+e(hd(2)+rows[38:]+['-'*74,'TOTAL 60 CONTAINERS %d PACKAGES %.1f KG'%(s.pk,s.gw)])+'</pre>',title='DO')
@lay('f-swb-grid','sea_waybill')
def _(s):
    many(s,44,False); d=Doc('sea_waybill','f-swb-grid'); d.c('scac',s.scac,s.linefull)
    h='<b>%s</b><h3>WAYBILL &ndash; NOT NEGOTIABLE</h3><p>Waybill no.: %s<br>Booking no.: %s</p><table width=100%%><tr><td><u>Shipper</u><br>%s</td><td><u>Consignee</u><br>%s</td><td><u>Notify</u><br>%s</td></tr></table><p>Vessel/Voyage: %s / %s<br>Port of loading: %s<br>Port of discharge: %s<br>Goods: %s<br>Freight: %s<br>Laden on board: %s<br>Issued: %s, %s</p><table width=100%% cellpadding=5><thead><tr style="border-bottom:2px solid"><th>Container / Seal<th>Equipment<th>Contents<th class=r>Gross weight<th class=r>Measurement</tr></thead>'%(s.linefull,d.n('bl_number',s.bl),d.n('booking_number',s.bkg),d.pa('shipper',s.exp),d.pa('consignee',s.imp),d.pa('notify_party',s.ntf),d.t('vessel',s.ship),d.n('voyage',s.voy),d.pl('port_of_lading',s.pol,'nc'),d.pl('port_of_discharge',s.pod,'nc'),d.pr('description',s.lines[0]['desc']),d.c('freight_terms','collect','COLLECT'),d.d('on_board_date',s.ob,'d M y'),d.pl('issue_place',s.pol),d.d('issue_date',s.ob,'d M y'))
    for c in s.con:
        r=d.row('containers'); h+='<tr><td>%s<br>%s<td>%s<td>%s %s<td class=r>%s<td class=r>%s</tr>'%(r.n('number',c['no']),r.n('seal',c['seal']),r.c('size_type',c['ty'],TY[c['ty']][2]),r.q('packages',c['pk'],'plain'),s.pkw.lower(),r.m('gross_weight',c['gw'],1),r.v('volume',c['vol']))
    return d,page(h+'</table>',css='tr{page-break-inside:avoid}body{font:10px Lato}',title='WB')
@lay('f-hbl-latex','house_bill_of_lading')
def _(s):
    many(s,56); d=Doc('house_bill_of_lading','f-hbl-latex'); tx=en2.tx; x=''
    for c in s.con:
        r=d.row('containers'); x+=' & '.join([r.n('number',c['no']),r.n('seal',c['seal']),r.c('size_type',c['ty'],TY[c['ty']][0]),r.q('packages',c['pk'],'plain'),r.m('gross_weight',c['gw'],1,'plain',''),r.v('volume',c['vol'],2,'plain','')])+'\\\\\n'
    b=r'{\large\textbf{%s}}\hfill\textbf{House Bill of Lading}\par\medskip\begin{tabular}{|p{80mm}|p{80mm}|}\hline \scriptsize Shipper\newline\normalsize %s & \scriptsize HBL No.\newline\normalsize %s\newline\scriptsize Ocean bill of lading\newline\normalsize %s\\\hline \scriptsize Consignee\newline\normalsize %s & \scriptsize Notify party\newline\normalsize %s\\\hline \scriptsize Vessel and voyage\newline\normalsize %s / %s & \scriptsize Port of loading\newline\normalsize %s\\\hline \scriptsize Port of discharge\newline\normalsize %s & \scriptsize Date and place of issue\newline\normalsize %s, %s\\\hline\end{tabular}\par\medskip Description of goods: %s\par Freight %s\par\medskip\begin{longtable}{lllrrr}Container & Seal & Type & Pkgs & Gross kg & cbm\\\hline\endhead %s\end{longtable}'%(tx(s.fwd[0]),nlx(tx(d.pa('shipper',s.exp,'\n'))),d.n('hbl_number',s.hbl),d.n('bl_number',s.bl),nlx(tx(d.pa('consignee',s.imp,'\n'))),nlx(tx(d.pa('notify_party',s.ntf,'\n'))),d.t('vessel',s.ship),d.n('voyage',s.voy),d.pl('port_of_lading',s.pol),d.pl('port_of_discharge',s.pod),d.d('issue_date',s.ob,'dMy'),d.pl('issue_place',s.pol),tx(d.pr('description',s.lines[0]['desc'])),d.c('freight_terms','prepaid','prepaid'),x)
    return d,en2.latex(b,r"\renewcommand{\arraystretch}{1.25}")
nlx=en2.nl
@lay('f-pl-list','packing_list')
def _(s):
    many(s,54,False); d=Doc('packing_list','f-pl-list'); d.unj=['lines.quantity']; l=s.lines[0]; r=d.row('lines')
    h='<h2>%s</h2><p>PACKING LIST TO INVOICE %s &nbsp; DATED %s<br>ORDER %s<br>BUYER %s</p><table width=100%% border=1 cellpadding=3><tr><th>Goods<th>Cartons<th>Net kg<th>Gross kg</tr><tr><td>%s<td>%s<td>%s<td>%s</tr></table><p>TOTAL PACKAGES: %s CARTONS<br>TOTAL NET WEIGHT: %s<br>TOTAL GROSS WEIGHT: %s<br>TOTAL MEASUREMENT: %s</p><p>STUFFING LIST</p><table width=100%% border=1 cellpadding=7><thead><tr><th>#<th>CONTAINER NO.<th>SEAL NO.<th>CARTONS<th>GROSS KG</tr></thead>'%(s.exp[0],d.n('invoice_number',s.inv),d.d('issue_date',s.inv_d,'d-M-y'),d.n('po_number',s.po),s.imp[0],r.t('description',l['desc']),r.q('packages',s.pk),r.m('net_weight',s.nw,1,'en',''),r.m('gross_weight',s.gw,1,'en',''),d.q('packages',s.pk),d.m('net_weight',s.nw,1,'en',' KGS'),d.m('gross_weight',s.gw,1,'en',' KGS'),d.v('volume',s.vol,2,'en',' CBM'))
    for i,c in enumerate(s.con):
        r=d.row('containers'); h+='<tr><td>%d<td>%s<td>%s<td class=r>%d<td class=r>%s</tr>'%(i+1,r.n('number',c['no']),r.n('seal',c['seal']),c['pk'],num(c['gw'],1))
    return d,page(h+'</table>',css='body{font:11px Liberation Serif}',title='PL')
Fl=[l.split('|') for l in '''f-bl-rider|ESVLC USNYC food|MSCU|chromium|
f-an-list|ESALG GBFXT food|CMDU|wkhtmltopdf|gs
f-do-courier|ESBCN AUSYD food|MAEU|chromium|
f-swb-grid|ESVLC USSAV food|HLCU|chromium|qpdf-lin
f-hbl-latex|ESVLC CATOR food|OOLU|pdflatex|
f-pl-list|ESALG USHOU food|ZIMU|wkhtmltopdf|'''.split('\n')]
if __name__=='__main__':
    for i,(l,lane,sc,p,rep) in enumerate(Fl): one('u4-f%02d'%(i+1),'f',l,9100+i,lane,p,rep,scac=sc or None,nc=1)
