from reg import *
from lay_scan import CT,KV,BX,CS,pg,eqs,dsc
import io, os, subprocess, tempfile, openpyxl
from openpyxl.styles import Font,Border,Side,PatternFill,Alignment
from email.message import EmailMessage
from lay_lo import Wd
from lay_tex import X,fill,NL,HV
th=Side(style='thin'); BD=Border(th,th,th,th)
class Recalc:
    """A workbook whose formulas LibreOffice has reckoned, so that their values are in the file."""
    def __init__(w,wb): w.wb=wb
    def save(w,out):
        with tempfile.TemporaryDirectory() as t:
            os.mkdir(t+'/o'); w.wb.save(t+'/p.xlsx'); subprocess.run(['nice','soffice','-env:UserInstallation=file://'+t+'/lo','--headless','--convert-to','xlsx','--outdir',t+'/o',t+'/p.xlsx'],check=True,stdout=subprocess.DEVNULL)
            open(out,'wb').write(open(t+'/o/p.xlsx','rb').read())
def xl(job): return lay('xlsx',job,group='e')
def T(typ,lay_,lang='en',**k): return D(typ,lay_,lang,med='txt',**k)
XP='openpyxl, formulas reckoned by LibreOffice Calc'
def head(ws,r,hs,col='DDEBF7'):
    for j,h in enumerate(hs,1): c=ws.cell(r,j,h); c.font=Font(bold=True); c.fill=PatternFill('solid',fgColor=col); c.border=BD
def put(ws,r,vs,fm={}):
    for j,v in enumerate(vs,1):
        c=ws.cell(r,j,v); c.border=BD
        if j in fm: c.number_format=fm[j]

@xl(J('CN','US',lines=4))
@xl(J('VN','CA',lines=3))
def e_ci(s):
    d=T('commercial_invoice','xl-ci-formulas',df='y-mm-dd'); d.cury='USD'; s.cur='USD'; wb=openpyxl.Workbook(); ws=wb.active; ws.title='CI'
    for c,w in zip('ABCDEF',[44,12,10,8,12,16]): ws.column_dimensions[c].width=w
    ws.merge_cells('A1:F1'); ws['A1']=s.shp[0]; ws['A1'].font=Font(bold=True,size=15); ws['A1'].alignment=Alignment(horizontal='center'); ws.merge_cells('A2:F2'); ws['A2']=', '.join(s.shp[1]); ws['A2'].alignment=Alignment(horizontal='center'); d.put('seller',{'name':s.shp[0],'address':', '.join(s.shp[1])})
    ws.merge_cells('A4:F4'); ws['A4']='COMMERCIAL INVOICE'; ws['A4'].alignment=Alignment(horizontal='center'); ws['A4'].font=Font(size=14,underline='single')
    ws['A6']='Buyer:'; 
    for i,x in enumerate(d.pa('buyer',s.cne).split('\n')): ws.merge_cells(start_row=7+i,start_column=1,end_row=7+i,end_column=2); ws.cell(7+i,1,x)
    for i,(a,b) in enumerate([('Invoice No.',d.num('invoice_number',s.inv)),('Date',s.etd),('PO No.',d.num('po_number',s.po)),('Terms',d.code('incoterm',s.inc)+' '+s.pol[1]),('Payment',d.txt('payment_terms','T/T 30 days'))],6): ws.cell(i,5,a); c=ws.cell(i,6,b); 
    ws['F7'].number_format='yyyy-mm-dd'; d.date('issue_date',s.etd)
    head(ws,12,['Description','HS code','Qty','Unit','Unit price (USD)','Amount (USD)']); r=12
    def row(l):
        nonlocal r; r+=1; d.qty('quantity',l['q']); d.mon('unit_price',l['p']); d.mon('amount',l['a'])
        put(ws,r,[d.txt('description',l['g']['en']),d.num('hs_code',l['g']['hs']),l['q'],d.txt('unit',l['g']['u']),l['p'],'=ROUND(C%d*E%d,2)'%(r,r)],{3:'#,##0',5:'#,##0.00',6:'#,##0.00'})
    d.rows('lines',s.lines,row,None); ws.merge_cells(start_row=r+1,start_column=1,end_row=r+1,end_column=5); ws.cell(r+1,1,'TOTAL').font=Font(bold=True); c=ws.cell(r+1,6,'=SUM(F13:F%d)'%r); c.number_format='"USD" #,##0.00'; c.border=BD; d.mon('total',s.tot); d.put('currency','USD'); return d,Recalc(wb),XP

@xl(J('DE','CN',lines=4))
@xl(J('ES','US',lines=3))
def e_pl(s):
    de=s.o=='DE'; d=T('packing_list','xl-pl-sheets-'+s.o.lower(),s.o.lower()); L=s.lines; wb=openpyxl.Workbook(); w0=wb.active; w0.title='Info' if de else 'Notas'
    w0['A1']='Bitte bei Rückfragen die Exportabteilung ansprechen.' if de else 'Para cualquier consulta, contacte con exportación.'
    ws=wb.create_sheet('Packliste' if de else 'Lista'); W=['PACKLISTE','Rechnung Nr.','Datum','Bestellung','Ware','Stück','Kolli','Netto kg','Brutto kg','Summe','Container','Siegel'] if de else ['LISTA DE EMPAQUE','Factura n.º','Fecha','Pedido','Mercancía','Unidades','Bultos','Peso neto kg','Peso bruto kg','Total','Contenedor','Precinto']
    ws.column_dimensions['A'].width=42; ws.merge_cells('A1:E1'); ws['A1']=W[0]; ws['A1'].font=Font(bold=True,size=16)
    ws['A2']=s.shp[0]; ws['A3']=W[1]; ws['B3']=d.num('invoice_number',s.inv); ws['A4']=W[2]; ws['B4']=d.date('issue_date',s.etd); ws['A5']=W[3]; ws['B5']=d.num('po_number',s.po); head(ws,7,W[4:9],'E2EFDA'); r=7
    def row(l):
        nonlocal r; r+=1; d.qty('quantity',l['q']); d.qty('packages',l['k']); d.mass('net_weight',l['nw'],1); d.mass('gross_weight',l['gw'],1); put(ws,r,[d.txt('description',d.gn(l['g'])),l['q'],l['k'],l['nw'],l['gw']],{4:'#,##0.0',5:'#,##0.0'})
    d.rows('lines',L,row,None); put(ws,r+1,[W[9],'','=SUM(C8:C%d)'%r,'=SUM(D8:D%d)'%r,'=SUM(E8:E%d)'%r],{4:'#,##0.0',5:'#,##0.0'}); d.qty('packages',sum(l['k'] for l in L)); d.mass('net_weight',sum(l['nw'] for l in L),1); d.mass('gross_weight',sum(l['gw'] for l in L),1)
    ws.cell(r+3,1,W[10]); ws.cell(r+3,2,W[11])
    def cr(x):
        nonlocal r; ws.cell(r+4,1,d.num('number',x['no'])); ws.cell(r+4,2,d.num('seal',x['seal'])); r+=1
    d.rows('containers',s.con,cr,None); return d,Recalc(wb),XP

@xl(J('CN','GB','MSC'))
def e_bk(s):
    d=T('booking_confirmation','xl-bk',df='dd MMM y'); d.put('scac','MSCU'); t=s.etd; wb=openpyxl.Workbook(); ws=wb.active; ws.column_dimensions['A'].width=28; ws.column_dimensions['B'].width=34; ws.merge_cells('A1:B1'); ws['A1']='MSC - Booking Confirmation'
    for i,(a,b) in enumerate([('Booking No.',d.num('booking_number',s.bk)),('Issue date',d.date('issue_date',t-dt.timedelta(10))),('Vessel',d.txt('vessel',s.ves)),('Voyage',d.num('voyage',s.voy)),('POL',d.pl('port_of_lading',s.pol,'l')),('POD',d.pl('port_of_discharge',s.pod,'l')),('ETD',d.date('etd',t)),('ETA',d.date('eta',s.eta)),('Equipment',eqs(d,s,1)),('SI cut-off',d.date('si_cutoff',t-dt.timedelta(3),time='12:00')),('VGM cut-off',d.date('vgm_cutoff',t-dt.timedelta(2),time='12:00')),('CY cut-off',d.date('cy_cutoff',t-dt.timedelta(1),time='12:00'))],3): put(ws,i,[a,b])
    return d,wb,'openpyxl'

@xl(J('CN','US','OOCL'))
def e_fi(s):
    d=T('freight_invoice','xl-fi',df='MMM. dd, y'); d.cury='USD'; r=s.r; ch=[('Ocean freight',r.randint(1500,3900)),('Terminal handling',r.randint(200,500)),('Chassis',r.randint(90,250))]; wb=openpyxl.Workbook(); ws=wb.active; ws.column_dimensions['A'].width=36; ws.column_dimensions['B'].width=22; ws['A1']=s.fd[0]; ws['A2']='FREIGHT INVOICE'; ws['A2'].font=Font(bold=True,size=14)
    for i,(a,b) in enumerate([('Invoice #',d.num('invoice_number','QL'+dig(r,6))),('Invoice date',d.date('issue_date',s.eta)),('Due date',d.date('due_date',s.eta+dt.timedelta(15))),('Bill to',s.cne[0]),('B/L #',d.num('bl_number',s.bl)),('Currency',d.code('currency','USD'))],4): ws.cell(i,1,a); ws.cell(i,2,b)
    head(ws,11,['Charge','Amount']); 
    for i,c in enumerate(ch,12): put(ws,i,c,{2:'#,##0.00'})
    put(ws,15,['TOTAL DUE','=SUM(B12:B14)'],{2:'#,##0.00'}); d.mon('total',sum(c[1] for c in ch)); return d,Recalc(wb),XP

@xl(J('CN','US'))
def e_ot(s):
    d=T('other','xl-ot-rates'); wb=openpyxl.Workbook(); ws=wb.active; ws.title='Rates'; ws.merge_cells('A1:E1'); ws['A1']='FAK rate sheet / quotation'; head(ws,3,['POL','POD','20GP','40HC','Valid to']); put(ws,4,['Shanghai','Los Angeles',1850,2300,'31-Dec-2026']); put(ws,5,['Ningbo','Savannah',2950,3700,'31-Dec-2026']); return d,wb,'openpyxl'

def dx(job): return lay('docx',job,group='e')
@dx(J('US','BR','CMA'))
def e_dbk(s):
    d=D('booking_confirmation','dx-bk','en',med='docx',df='MMMM d, y'); d.put('scac','CMDU'); t=s.etd; w=Wd('Carlito',11,20)
    w.p('CMA CGM (America) — Booking Confirmation',bold=True,size=14); w.t([['Booking number',d.num('booking_number',s.bk)],['Date',d.date('issue_date',t-dt.timedelta(11))],['Vessel',d.txt('vessel',s.ves)],['Voyage',d.num('voyage',s.voy)],['Port of loading',d.pl('port_of_lading',s.pol)],['Port of discharge',d.pl('port_of_discharge',s.pod)],['Sailing (ETD)',d.date('etd',t)],['Arrival (ETA)',d.date('eta',s.eta)],['Equipment',eqs(d,s,5)],['Empty pick-up',d.txt('empty_pickup','Bayou Container Depot')],['Documentation cut-off',d.date('si_cutoff',t-dt.timedelta(3))],['Port cut-off',d.date('cy_cutoff',t-dt.timedelta(1))]],[1,2]); return d,w,'python-docx'
@dx(J('CN','PT'))
def e_ddo(s):
    d=D('delivery_order','dx-do-pt','pt',med='docx'); w=Wd('Liberation Sans',10.5,20)
    w.p(s.fd[0],bold=True,size=13); w.p('AUTORIZAÇÃO DE LEVANTAMENTO N.º '+d.num('do_number','AL'+dig(s.r,5))); w.p('Data: '+d.date('issue_date',s.eta+dt.timedelta(1))); w.t([['Transportador',d.pa('trucker',s.trk)],['Local de entrega',d.pa('deliver_to',s.cne)],['Terminal',d.txt('terminal',s.term[0])],['Navio / viagem',d.txt('vessel',s.ves)+' / '+d.num('voyage',s.voy)],['B/L',d.num('bl_number',s.bl)],['Último dia livre',d.date('last_free_day',s.eta+dt.timedelta(6))]],[1,2]); w.t([['Contentor','Selo','Tipo','Volumes','Peso bruto kg']]+d.rows('containers',s.con,lambda x:[d.num('number',x['no']),d.num('seal',x['seal']),d.size('size_type',x['sz'],1),d.qty('packages',x['k']),d.mass('gross_weight',x['w'],2,'')],None)); return d,w,'python-docx'
@dx(J('IN','GB'))
def e_dco(s):
    d=D('certificate_of_origin','dx-co','en',med='docx',df='d MMMM y'); w=Wd('Liberation Serif',11,22)
    w.p('CERTIFICATE OF ORIGIN',bold=True,size=16,al='c'); w.t([['Certificate No.',d.num('certificate_number','CO/26/'+dig(s.r,5))],['Exporter',d.pa('exporter',s.shp)],['Consignee',s.cne[0]],['Country of origin',d.txt('country_of_origin','INDIA')],['Invoice No.',d.num('invoice_number',s.inv)],['Goods','\n'.join(g['en'] for g in s.goods)],['Date of issue',d.date('issue_date',s.etd)]],[1,2.5]); return d,w,'python-docx'
@dx(J('FR','US','MSC'))
def e_dhbl(s):
    d=D('house_bill_of_lading','dx-hbl-draft','en',med='docx',df='d-MMM-y'); w=Wd('Carlito',10.5,18); d.put('scac','MSCU')
    w.p(s.fo[0],bold=True,size=13); w.p('HOUSE BILL OF LADING No. '+d.num('hbl_number',s.hbl)); w.p('Carrier: MSC Mediterranean Shipping Company; master bill '+d.num('bl_number',s.bl)); w.t([['Shipper\n'+d.pa('shipper',s.shp),'Consignee\n'+d.pa('consignee',s.cne)],['Notify party\n'+d.pa('notify_party',s.ntf),'Vessel: '+d.txt('vessel',s.ves)+'\nVoyage: '+d.num('voyage',s.voy)],['Port of loading: '+d.pl('port_of_lading',s.pol),'Port of discharge: '+d.pl('port_of_discharge',s.pod)]]); w.t([['Container','Seal','Type','Packages','Gross weight','Measurement']]+d.rows('containers',s.con,lambda x:[d.num('number',x['no']),d.num('seal',x['seal']),d.size('size_type',x['sz'],0),d.qty('packages',x['k'])+' '+s.pkg,d.mass('gross_weight',x['w'],2,' KGS'),d.vol('volume',x['v'],3,' CBM')],None)); w.p('Description of goods: '+d.prose('description',s.g['en'])); w.p('Freight '+d.code('freight_terms',s.terms,s.terms)+'. Issued at '+d.pl('issue_place',s.pol)+', '+d.date('issue_date',s.etd)+'. Originals: '+d.qty('originals',3,show='three (3)')); return d,w,'python-docx'

def mail(subject,frm,text=None,htm=None,att=None,date=None):
    m=EmailMessage(); m['From']=frm; m['To']='import@example.com'; m['Subject']=subject; m['Date']=date; m['Message-ID']='<%s@example.com>'%re.sub(r'\W','',subject)[:40]
    m.set_content(text or 'See the HTML part.')
    if htm: m.add_alternative(htm,subtype='html')
    for name,data,(a,b) in att or []: m.add_attachment(data,maintype=a,subtype=b,filename=name)
    for i,p in enumerate(x for x in m.walk() if x.is_multipart()): p.set_boundary('=_part%d_6'%i)
    return m.as_bytes()
def rfc(x): return x.strftime('%a, %d %b %Y 08:31:00 +0000')
def em(job): return lay('eml',job,group='e')
@em(J('CN','GB','ZIM'))
def m_an(s):
    d=T('arrival_notice','ml-an-text',df='dd MMM y'); d.put('scac','ZIMU'); i=s.eta-dt.timedelta(5)
    tx=f"""Dear customer,

ARRIVAL NOTICE

Notice date: {d.date('issue_date',i)}
Carrier: ZIM
B/L: {d.num('bl_number',s.bl)}
Vessel: {d.txt('vessel',s.ves)}
Voyage: {d.num('voyage',s.voy)}
Port of loading: {d.pl('port_of_lading',s.pol)}
Port of discharge: {d.pl('port_of_discharge',s.pod)}
ETA: {d.date('eta',s.eta)}
Terminal: {d.txt('terminal',s.term[0])}

Consignee:
{d.pa('consignee',s.cne)}

Notify party:
{d.pa('notify_party',s.ntf)}

"""+d.rows('containers',s.con,lambda x:f"Container: {d.num('number',x['no'])}  Type: {d.size('size_type',x['sz'],0)}  Seal: {d.num('seal',x['seal'])}  Packages: {d.qty('packages',x['k'])}  Weight: {d.mass('gross_weight',x['w'],1,' kg')}",'\n')+f"""

Last free day: {d.date('last_free_day',s.eta+dt.timedelta(5))}

Kind regards,
Import documentation
"""
    return d,mail('Arrival notice '+s.bl,'noreply@example.com',tx,date=rfc(i)),'Python email'
@em(J('BR','US','MAERSK'))
def m_bk(s):
    d=D('booking_confirmation','ml-bk-html',df='y-mm-dd'); d.put('scac','MAEU'); t=s.etd; i=t-dt.timedelta(12)
    h=f"<html><body><h2>Booking confirmation</h2><p>Thank you for booking with Maersk.</p>"+KV('Booking number',d.num('booking_number',s.bk),'Booking date',d.date('issue_date',i),'Vessel',d.txt('vessel',s.ves),'Voyage',d.num('voyage',s.voy),'Port of loading',d.pl('port_of_lading',s.pol,'nc'),'Port of discharge',d.pl('port_of_discharge',s.pod,'nc'),'ETD',d.date('etd',t),'ETA',d.date('eta',s.eta),'Equipment',eqs(d,s,1),'SI cut-off',d.date('si_cutoff',t-dt.timedelta(3),time='14:00'),'VGM cut-off',d.date('vgm_cutoff',t-dt.timedelta(2),time='14:00'),'Empty pick-up',d.txt('empty_pickup','Deposito Valongo'))+'</body></html>'
    tx=re.sub(r'<tr>','\n',h); tx=re.sub(r'<td>',' : ',tx); tx=html.unescape(re.sub(r'<[^>]+>','',tx))
    return d,mail('Booking '+s.bk,'booking@example.com',tx,h,date=rfc(i)),'Python email'
@em(J('CN','DE'))
def m_do(s):
    d=D('delivery_order','ml-do-pdf','de'); d.att='Freistellung_%s.pdf'%s.bl
    src=X(d,s,r'''\textbf{\Large Auslieferungsauftrag «d.num('do_number','AU'+dig(s.r,6))»}\hfill «d.date('issue_date',s.eta+dt.timedelta(1))»

\begin{tabular}{|p{45mm}|p{110mm}|}\hline Spediteur&«d.e(s.fd[0])»\\\hline Frachtführer (Lkw)&«d.pa('trucker',s.trk,NL)»\\\hline Lieferadresse&«d.pa('deliver_to',s.cne,NL)»\\\hline Terminal&«d.txt('terminal',s.term[0])»\\\hline Konnossement&«d.num('bl_number',s.bl)»\\\hline Schiff&«d.txt('vessel',s.ves)»\\\hline Reise&«d.num('voyage',s.voy)»\\\hline PIN&«d.num('pickup_number',dig(s.r,6))»\\\hline\end{tabular}

\begin{tabular}{|l|l|l|r|r|}\hline Container&Größe&Siegel&Kolli&Brutto kg\\\hline «R('containers',s.con,r"⟦d.num('number',x['no'])⟧&⟦d.size('size_type',x['sz'],1)⟧&⟦d.num('seal',x['seal'])⟧&⟦d.qty('packages',x['k'])⟧&⟦d.mass('gross_weight',x['w'],2,'')⟧\\\hline ")»\end{tabular}''',HV)[1]
    d.med='tex' 
    with tempfile.TemporaryDirectory() as t:
        open(t+'/p.tex','w').write(src); subprocess.run(['nice','pdflatex','-interaction=nonstopmode','-halt-on-error','p.tex'],cwd=t,check=True,stdout=subprocess.DEVNULL); pdf=open(t+'/p.pdf','rb').read()
    return d,mail('Freistellung','dispo@example.de','Anbei der Auftrag.\n\nMit freundlichen Grüßen',att=[(d.att,pdf,('application','pdf'))],date=rfc(s.eta)),'Python email; PDF by pdfLaTeX'
@em(J('IT','US',lines=3))
def m_ci(s):
    d=T('commercial_invoice','ml-ci-docx',df='d MMMM y'); d.cury='EUR'; s.cur='EUR'; d.att='invoice.docx'; w=Wd('Carlito',11,20)
    w.p(d.pa('seller',s.shp)); w.p('COMMERCIAL INVOICE '+d.num('invoice_number',s.inv),bold=True); w.p('Date: '+d.date('issue_date',s.etd)); w.p('Buyer:\n'+d.pa('buyer',s.cne)); w.t([['Description','Quantity','Unit price','Amount']]+d.rows('lines',s.lines,lambda l:[d.txt('description',l['g']['en']),d.qty('quantity',l['q']),d.mon('unit_price',l['p']),d.mon('amount',l['a'])],None),[4,1,1.4,1.6]); w.p('Total '+d.code('currency','EUR')+' '+d.mon('total',s.tot)); b=io.BytesIO(); w.d.save(b)
    return d,mail('Invoice','export@example.it','Please find our invoice attached.',att=[('invoice.docx',b.getvalue(),('application','vnd.openxmlformats-officedocument.wordprocessingml.document'))],date=rfc(s.etd)),'Python email; docx by python-docx'
@em(J('CN','US'))
def m_ot(s):
    d=T('other','ml-ot-payment'); return d,mail('Payment advice','ap@example.com',f"PAYMENT ADVICE\n\nWe have today remitted USD {d.n(s.tot,2)} by wire to {s.shp[0]} in settlement of your account.\n\nValue date: {d.date('-',s.etd)}\nReference: PAY{dig(s.r,6)}\n\nAccounts payable\n{s.cne[0]}\n",date=rfc(s.etd)),'Python email'

# f: many containers
@lay('chromium',J('CN','US','COSCO',n=46),group='f')
def f_bl(s):
    d=D('bill_of_lading','mn-bl-rider',df='d-MMM-y'); d.put('scac','COSU')
    return d,page("body{font:10.5px Liberation Sans}"+CS+"thead{display:table-header-group}.rd td,.rd th{border:1px solid #555;padding:3px}",f"<h2>COSCO SHIPPING LINES CO., LTD. — BILL OF LADING {d.num('bl_number',s.bl)}</h2>"+BX('Shipper',d.pa('shipper',s.shp),'Consignee',d.pa('consignee',s.cne),'Notify Party',d.pa('notify_party',s.ntf),'Booking No.',d.num('booking_number',s.bk),'Vessel / Voyage',d.txt('vessel',s.ves)+' / '+d.num('voyage',s.voy),'Freight','FREIGHT '+d.code('freight_terms',s.terms,s.terms.upper()),'Port of Loading',d.pl('port_of_lading',s.pol,'NC'),'Port of Discharge',d.pl('port_of_discharge',s.pod,'NC'),'Place and date of issue',d.pl('issue_place',s.pol,'N')+' '+d.date('issue_date',s.etd),'Originals',d.qty('originals',3,show='THREE (3)'))+'<p>Description of goods: '+d.prose('description',s.g['en'])+'</p><p>AS PER ATTACHED CONTAINER LIST</p><table class=rd><thead><tr><th>No.<th>Container<th>Seal<th>Type<th>Packages<th>Gross weight (KGS)<th>Measurement (CBM)</tr></thead>'+d.rows('containers',list(enumerate(s.con,1)),lambda q:f"<tr><td>{q[0]}<td>{d.num('number',q[1]['no'])}<td>{d.num('seal',q[1]['seal'])}<td>{d.size('size_type',q[1]['sz'],0)}<td>{d.qty('packages',q[1]['k'])}<td>{d.mass('gross_weight',q[1]['w'],2,'')}<td>{d.vol('volume',q[1]['v'],3,'')}</tr>")+'</table>')
@lay('wk',J('VN','US','EVERGREEN',n=44),group='f')
def f_an(s):
    d=D('arrival_notice','mn-an-list',df='mm/dd/y'); d.put('scac','EGLV')
    return d,'<meta charset="utf-8"><style>body{font:11px Liberation Sans}td,th{padding:2px 5px;text-align:left;vertical-align:top}tr{page-break-inside:avoid}</style>'+f"<h2>Evergreen Line &mdash; Arrival Notice</h2>"+KV('Date',d.date('issue_date',s.eta-dt.timedelta(4)),'Bill of lading',d.num('bl_number',s.bl),'Vessel',d.txt('vessel',s.ves),'Voyage',d.num('voyage',s.voy),'Port of loading',d.pl('port_of_lading',s.pol),'Port of discharge',d.pl('port_of_discharge',s.pod),'ETA',d.date('eta',s.eta),'Terminal',d.txt('terminal',s.term[0]),'Consignee',d.pa('consignee',s.cne),'Notify party',d.pa('notify_party',s.ntf),'Last free day',d.date('last_free_day',s.eta+dt.timedelta(6)))+CT(d,s,'nszkw','Container No.|Seal No.|Size|Packages|Weight (LBS)',1,wunit='lb',border=1)
@lay('tex',J('BR','NL','HAPAG',n=52),group='f')
def f_swb(s):
    d=D('sea_waybill','mn-swb-longtable',med='tex',df='d-MMM-y'); d.put('scac','HLCU')
    return X(d,s,r'''\textbf{\Large Hapag-Lloyd}\hfill\textbf{SEA WAYBILL «d.num('bl_number',s.bl)»}

\begin{tabularx}{\textwidth}{|X|X|}\hline\cp{Shipper}«d.pa('shipper',s.shp,NL)»&\cp{Consignee}«d.pa('consignee',s.cne,NL)»\\\hline\cp{Vessel}«d.txt('vessel',s.ves)»&\cp{Voyage}«d.num('voyage',s.voy)»\\\hline\cp{Port of loading}«d.pl('port_of_lading',s.pol)»&\cp{Port of discharge}«d.pl('port_of_discharge',s.pod)»\\\hline\cp{Place of issue}«d.pl('issue_place',s.pol)»&\cp{Date of issue}«d.date('issue_date',s.etd)»\\\hline\end{tabularx}

Goods: «d.prose('description',s.g['en'])»

\begin{longtable}{lllrrr}\toprule Container&Seal&Type&Packages&Gross weight kg&Volume m3\\\midrule\endhead «R('containers',s.con,r"⟦d.num('number',x['no'])⟧&⟦d.num('seal',x['seal'])⟧&⟦d.size('size_type',x['sz'],3)⟧&⟦d.qty('packages',x['k'])⟧&⟦d.mass('gross_weight',x['w'],2,'')⟧&⟦d.vol('volume',x['v'],3,'')⟧\\ ")»\bottomrule\end{longtable}''')
@lay('lo',J('CN','MX',n=41),group='f')
def f_do(s):
    d=D('delivery_order','mn-do-list','es',med='docx'); w=Wd('Carlito',10.5,18)
    w.p('ORDEN DE ENTREGA '+d.num('do_number','OE'+dig(s.r,6)),bold=True,size=15); w.p('Fecha: '+d.date('issue_date',s.eta+dt.timedelta(1))+'\nB/L: '+d.num('bl_number',s.bl)+'\nBuque: '+d.txt('vessel',s.ves)+'\nViaje: '+d.num('voyage',s.voy)+'\nTerminal: '+d.txt('terminal',s.term[0])); w.p('Transportista:\n'+d.pa('trucker',s.trk)); w.p('Entregar a:\n'+d.pa('deliver_to',s.cne))
    w.t([['Contenedor','Precinto','Tipo','Bultos','Peso bruto (kg)']]+d.rows('containers',s.con,lambda x:[d.num('number',x['no']),d.num('seal',x['seal']),d.size('size_type',x['sz'],1),d.qty('packages',x['k']),d.mass('gross_weight',x['w'],2,'')],None),head='DDDDDD'); return d,w
@lay('chromium',J('DE','US',n=60),group='f')
def f_hbl(s):
    d=D('house_bill_of_lading','mn-hbl-two-columns',df='dd MMM y')
    return d,page("body{font:10px Carlito}"+CS+".rd td,.rd th{border-bottom:1px solid #bbb;padding:2px 6px}thead{display:table-header-group}",f"<h2>{d.e(s.fo[0])} — HOUSE BILL OF LADING {d.num('hbl_number',s.hbl)}</h2>"+KV('Shipper',d.pa('shipper',s.shp,', '),'Consignee',d.pa('consignee',s.cne,', '),'Vessel',d.txt('vessel',s.ves),'Voyage',d.num('voyage',s.voy),'Port of loading',d.pl('port_of_lading',s.pol),'Port of discharge',d.pl('port_of_discharge',s.pod),'Issued',d.pl('issue_place',s.pol)+', '+d.date('issue_date',s.etd))+'<table class=rd><thead><tr><th>Container / seal<th>Type<th>Packages<th>Weight<th>Volume</tr></thead>'+d.rows('containers',s.con,lambda x:f"<tr><td>{d.num('number',x['no'])} / {d.num('seal',x['seal'])}<td>{d.size('size_type',x['sz'],5)}<td>{d.qty('packages',x['k'])} {s.pkg.lower()}<td>{d.mass('gross_weight',x['w'],1,' kg')}<td>{d.vol('volume',x['v'],3,' m³')}</tr>")+'</table>','A4','14mm')
@lay('lo',J('CN','GB','ONE',n=48),group='f')
def f_bl2(s):
    d=D('bill_of_lading','mn-bl-annex','en',med='docx',df='y-mm-dd'); d.put('scac','ONEY'); w=Wd('Liberation Sans',9.5,16)
    w.p('OCEAN NETWORK EXPRESS — BILL OF LADING',bold=True,size=14); w.t([['^B/L NO.|'+d.num('bl_number',s.bl),'^BOOKING NO.|'+d.num('booking_number',s.bk)],['^SHIPPER|'+d.pa('shipper',s.shp),'^CONSIGNEE|'+d.pa('consignee',s.cne)],['^VESSEL|'+d.txt('vessel',s.ves),'^VOYAGE NO.|'+d.num('voyage',s.voy)],['^PORT OF LOADING|'+d.pl('port_of_lading',s.pol,'NC'),'^PORT OF DISCHARGE|'+d.pl('port_of_discharge',s.pod,'NC')],['^PLACE OF ISSUE|'+d.pl('issue_place',s.pol,'N'),'^DATE OF ISSUE|'+d.date('issue_date',s.etd)]]); w.p('CONTAINER ATTACHMENT'); w.t([['CONTAINER','SEAL','TYPE','PACKAGES','WEIGHT KGS','CBM']]+d.rows('containers',s.con,lambda x:[d.num('number',x['no']),d.num('seal',x['seal']),d.size('size_type',x['sz'],0),d.qty('packages',x['k']),d.mass('gross_weight',x['w'],3,''),d.vol('volume',x['v'],3,'')],None)); return d,w
