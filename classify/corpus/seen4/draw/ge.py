import make; from make import *
from eng import *
import openpyxl,docx,io,datetime
from openpyxl.styles import Font,Alignment,Border,Side
from email.message import EmailMessage
from email.utils import format_datetime
def mk(lay,seed,lane,**kw): a,b,g=lane.split(); return scen(seed,a,b,g,**kw)
thin=Border(*[Side(style='thin')]*4)
def xs(wb):
    for w in wb:
        for col,wd in zip('ABCDEFG',{'INVOICE':[6,46,14,10,8,16,16],'PL':[44,24,16,26,12,16,14],'Arrival':[20,22,14,12,12,12,8]}.get(w.title,[24]*7)): w.column_dimensions[col].width=wd
    b=io.BytesIO(); wb.save(b); return b.getvalue()
def U_(x): return html.unescape(x)
def x1(s):
    d=Doc('commercial_invoice','e-xlsx-ci'); wb=openpyxl.Workbook(); w=wb.active; w.title='INVOICE'; d.c('currency','USD','USD')
    w.merge_cells('A1:G1'); w['A1']=U_(d.pa('seller',s.exp).split('<br>')[0]); w['A1'].font=Font(bold=True,size=15); w['A1'].alignment=Alignment(horizontal='center'); w.merge_cells('A2:G2'); w['A2']=', '.join(s.exp[1]); w.merge_cells('A4:G4'); w['A4']='COMMERCIAL INVOICE'; w['A4'].font=Font(bold=True,underline='single')
    w['A6']='Sold to:'; w.merge_cells('B6:D8'); w['B6']=U_(d.pa('buyer',s.imp,'\n')); w['B6'].alignment=Alignment(wrap_text=True,vertical='top')
    for i,(a,b) in enumerate([('Invoice No.',d.n('invoice_number',s.inv)),('Date',s.inv_d),('PO No.',d.n('po_number',s.po)),('Terms',d.c('incoterm','CIF','CIF')+' '+s.pod[1]),('Payment',d.t('payment_terms','T/T 45 days'))]): w.cell(6+i,5,a); w.cell(6+i,6,b); w.merge_cells(start_row=6+i,start_column=6,end_row=6+i,end_column=7)
    d.d('issue_date',s.inv_d,'d-M-y'); w['F7'].number_format='dd-mmm-yyyy'
    for j,hh in enumerate(['Item','Description of goods','HS code','Qty','Unit','Unit price USD','Amount USD']): c=w.cell(13,j+1,hh); c.font=Font(bold=True); c.border=thin
    y=14
    for i,l in enumerate(s.lines):
        r=d.row('lines'); r.t('description',l['desc']); r.n('hs_code',l['hs']); r.q('quantity',l['qty']); r.t('unit',l['unit']); r.mo('unit_price',l['price'],'USD'); r.mo('amount',l['amt'],'USD')
        for j,v in enumerate([i+1,l['desc'],l['hs'],l['qty'],l['unit'],l['price'],l['amt']]): c=w.cell(y,j+1,v); c.border=thin; c.number_format='#,##0.00' if j>4 else 'General'
        y+=1
    w.merge_cells(start_row=y,start_column=1,end_row=y,end_column=6); w.cell(y,1,'TOTAL'); w.cell(y,7,s.total).number_format='#,##0.00'; d.mo('total',s.total,'USD'); w.column_dimensions['B'].width=44; w.column_dimensions['F'].width=16
    w2=wb.create_sheet('Bank'); w2['A1']='Bank details'; w2['A2']='Beneficiary bank: Harbour Commercial Bank'; w2['A3']='Account 8841-220-17'
    return d,xs(wb),'xlsx'
def x2(s):
    d=Doc('packing_list','e-xlsx-pl'); wb=openpyxl.Workbook(); w=wb.active; w.title='PL'
    w['A1']='PACKING LIST'; w.merge_cells('A1:H1'); w['A3']='Shipper'; w['B3']=U_(s.exp[0]); w['A4']='Consignee'; w['B4']=U_(s.imp[0]); w['F3']='PL no.'; w['G3']=d.n('packing_list_number','PL%05d'%s.r.randint(1e4,9e4)); w['F4']='Invoice'; w['G4']=d.n('invoice_number',s.inv); w['F5']='Date'; w['G5']=d.d('issue_date',s.inv_d,'iso'); w['F6']='PO'; w['G6']=d.n('po_number',s.po)
    for a in('B3:D3','B4:D4'): w.merge_cells(a)
    for j,hh in enumerate(['Description','Qty','Unit','Cartons','N.W. (kg)','G.W. (kg)','Volume (cbm)']): w.cell(9,j+1,hh).font=Font(bold=True)
    y=10
    for l in s.lines:
        r=d.row('lines'); r.t('description',l['desc']); r.q('quantity',l['qty']); r.q('packages',l['pk']); r.m('net_weight',l['nw'],1); r.m('gross_weight',l['gw'],1); r.v('volume',l['vol'],2)
        for j,v in enumerate([l['desc'],l['qty'],l['unit'],l['pk'],l['nw'],l['gw'],l['vol']]): w.cell(y,j+1,v)
        y+=1
    for j,v in enumerate(['Total',None,None,s.pk,s.nw,s.gw,s.vol]): w.cell(y,j+1,v)
    d.q('packages',s.pk); d.m('net_weight',s.nw,1); d.m('gross_weight',s.gw,1); d.v('volume',s.vol,2)
    w2=wb.create_sheet('Containers'); w2.append(['Container no.','Seal no.'])
    for c in s.con: r=d.row('containers'); w2.append([r.n('number',c['no']),r.n('seal',c['seal'])])
    return d,xs(wb),'xlsx'
def x3(s):
    d=Doc('arrival_notice','e-xlsx-an'); wb=openpyxl.Workbook(); w=wb.active; w.title='Arrival'; d.c('scac',s.scac,s.line)
    w.merge_cells('A1:F1'); w['A1']=U_(s.ntf[0])+' - ARRIVAL NOTICE'
    R=[('Notice date',d.d('issue_date',s.notice,'dMy')),('Carrier',s.line),('Master B/L',d.n('bl_number',s.bl)),('House B/L',d.n('hbl_number',s.hbl)),('Vessel',d.t('vessel',s.ship)),('Voyage',d.n('voyage',s.voy)),('Port of loading',d.pl('port_of_lading',s.pol,'nc')),('Port of discharge',d.pl('port_of_discharge',s.pod)),('ETA',d.d('eta',s.eta,'dMy')),('Last free day',d.d('last_free_day',s.lfd,'dMy')),('Terminal',d.t('terminal',s.term[0])),('Consignee',U_(d.pa('consignee',s.imp,'\n')))]
    for i,(a,b) in enumerate(R): w.cell(3+i,1,a); w.cell(3+i,2,b).alignment=Alignment(wrap_text=True); w.merge_cells(start_row=3+i,start_column=2,end_row=3+i,end_column=4)
    y=17
    for j,hh in enumerate(['Container','Seal','Type','Pkgs','Gross kg','CBM']): w.cell(y,j+1,hh)
    for c in s.con:
        y+=1; r=d.row('containers')
        for j,v in enumerate([r.n('number',c['no']),r.n('seal',c['seal']),r.c('size_type',c['ty'],TY[c['ty']][0]),c['pk'],c['gw'],c['vol']]): w.cell(y,j+1,v)
        r.q('packages',c['pk']); r.m('gross_weight',c['gw'],1); r.v('volume',c['vol'],2)
    return d,xs(wb),'xlsx'
def x4(s):
    d=Doc('delivery_order','e-xlsx-do'); wb=openpyxl.Workbook(); w=wb.active; w.title='DO'
    w.append(['DELIVERY ORDER',None,None,d.n('do_number','D%06d'%s.r.randint(1e5,9e5))]); w.merge_cells('A1:C1'); w.append([]); 
    w.append(['Date','B/L','Vessel','Voyage']); w.append([s.eta,d.n('bl_number',s.bl),d.t('vessel',s.ship),d.n('voyage',s.voy)]); w['A4'].number_format='yyyy-mm-dd'; d.d('issue_date',s.eta,'iso'); w.append([]); w.append(['Terminal','Trucker','Deliver to','Empty return']); w.append([d.t('terminal',s.term[0]),d.pa('trucker',('Ironwood Transfer Inc.',[])),U_(d.pa('deliver_to',s.imp,'\n')),d.t('empty_return','Same terminal')]); w['C7'].alignment=Alignment(wrap_text=True); w.append([]); w.append(['Container','Seal','Type','Pickup no.','Last free day'])
    pk=str(s.r.randint(100000,999999))
    for c in s.con: r=d.row('containers'); w.append([r.n('number',cn(c['no'],1)),r.n('seal',c['seal']),r.c('size_type',c['ty'],TY[c['ty']][1]),pk,s.lfd]); w.cell(w.max_row,5).number_format='dd-mmm-yy'
    d.n('pickup_number',pk); d.d('last_free_day',s.lfd,'iso'); d.unj=['empty_return']
    return d,xs(wb),'xlsx'
def x5(s):
    d=Doc('other','e-xlsx-rates'); wb=openpyxl.Workbook(); w=wb.active; w.title='Rates'; w.append(['Ocean rate sheet Q4 2026',None,None,None]); w.merge_cells('A1:D1'); w.append(['Carrier','POL','POD','40HC USD','Valid to'])
    for k,v in CAR.items(): w.append([v[0],s.pol[1],s.pod[1],s.r.randint(12,39)*100,datetime.date(2026,12,31)])
    wb.create_sheet('Surcharges').append(['BAF','360'])
    return d,xs(wb),'xlsx'
def dx(D): b=io.BytesIO(); D.save(b); return b.getvalue()
def T(D,rows,style='Table Grid'):
    t=D.add_table(0,max(len(r) for r in rows)); t.style=style
    for r in rows:
        c=t.add_row().cells
        for i,v in enumerate(r): c[i].text=U_(str(v)).replace('<br>','\n')
    return t
def w1(s):
    d=Doc('house_bill_of_lading','e-docx-hbl'); D=docx.Document(); D.add_heading('%s'%U_(s.fwd[0]),2); D.add_paragraph('HOUSE BILL OF LADING  No. '+d.n('hbl_number',s.hbl))
    T(D,[['Shipper\n'+d.pa('shipper',s.exp,'\n'),'Master B/L No.\n'+d.n('bl_number',s.bl)],['Consignee\n'+d.pa('consignee',s.imp,'\n'),'Number of originals\n'+d.c('originals','3','3')],['Notify party\n'+d.pa('notify_party',s.ntf,'\n'),'Freight\n'+d.c('freight_terms','collect','COLLECT')],['Vessel / Voyage\n'+d.t('vessel',s.ship)+' / '+d.n('voyage',s.voy),'Port of loading\n'+d.pl('port_of_lading',s.pol,'nc')],['Port of discharge\n'+d.pl('port_of_discharge',s.pod,'nc'),'Place of delivery\n'+d.pl('place_of_delivery',s.pod)]])
    D.add_paragraph('\nDescription of goods: '+d.pr('description','; '.join(l['desc'] for l in s.lines)))
    rows=[['Container','Seal','Type','Packages','Gross weight kg','Measurement cbm']]
    for c in s.con: r=d.row('containers'); rows.append([r.n('number',c['no']),r.n('seal',c['seal']),r.c('size_type',c['ty'],TY[c['ty']][2]),r.q('packages',c['pk']),r.m('gross_weight',c['gw'],1,'en',''),r.v('volume',c['vol'],2,'en','')])
    T(D,rows); D.add_paragraph('\nShipped on board: %s\nPlace and date of issue: %s, %s'%(d.d('on_board_date',s.ob,'dMy'),d.pl('issue_place',s.pol),d.d('issue_date',s.ob,'dMy')))
    return d,dx(D),'docx'
def w2(s):
    d=Doc('certificate_of_origin','e-docx-co'); D=docx.Document(); D.add_heading('EXPORTER\'S CERTIFICATE OF ORIGIN',1)
    for a,b in [('Certificate number',d.n('certificate_number','ORG-%05d'%s.r.randint(1e4,9e4))),('Exporter',d.pa('exporter',s.exp,', ')),('Importer',', '.join([s.imp[0]]+s.imp[1])),('Invoice number',d.n('invoice_number',s.inv)),('Country of origin',d.t('country_of_origin',s.pol[2]))]: D.add_paragraph('%s: %s'%(a,U_(b)))
    T(D,[['Goods','HS','Quantity']]+[[l['desc'],l['hs'],'%d %s'%(l['qty'],l['unit'])] for l in s.lines],'Light List'); D.add_paragraph('\nWe certify that the goods described above originate in the country stated.\nSigned on %s'%d.d('issue_date',s.inv_d+D_(2),'M d, y'))
    return d,dx(D),'docx'
from datetime import timedelta as TD
def D_(n): return TD(days=n)
def w3(s):
    d=Doc('customs_entry','e-docx-entry'); D=docx.Document(); D.add_paragraph('%s\nCustoms House Brokers'%U_(s.ntf[0])); D.add_heading('Import entry confirmation',2)
    T(D,[['Import declaration no.',d.n('entry_number','AC%s%04d'%(''.join(s.r.choice('ACDEFGHKLMNPR3479') for _ in range(4)),s.r.randint(0,9999)))],['Date of entry',d.d('entry_date',s.eta+D_(1),'d M y')],['Importer',d.pa('importer',s.imp,'\n')],['Arrival date',d.d('import_date',s.eta,'d M y')],['Vessel / voyage',s.ship+' / '+s.voy],['Ocean bill of lading',d.n('bl_number',s.bl)],['Supplier',s.exp[0]],['Customs value','AUD %s'%num(s.total*1.5)],['Duty','5.00 %'],['GST','10 %'],['Status','CLEAR']])
    D.add_paragraph('\nContainers: '+', '.join(c['no'] for c in s.con)); return d,dx(D),'docx'
def w4(s):
    d=Doc('sea_waybill','e-docx-swb'); d.c('scac',s.scac,s.linefull); D=docx.Document(); D.add_paragraph(U_(s.linefull)); D.add_heading('NON-NEGOTIABLE SEA WAYBILL',1)
    T(D,[['Sea waybill no.',d.n('bl_number',s.bl),'Booking no.',d.n('booking_number',s.bkg)],['Shipper',d.pa('shipper',s.exp,'\n'),'Consignee',d.pa('consignee',s.imp,'\n')],['Notify party',d.pa('notify_party',s.ntf,'\n'),'Vessel and voyage',d.t('vessel',s.ship)+' '+d.n('voyage',s.voy)],['Port of loading',d.pl('port_of_lading',s.pol,'nc'),'Port of discharge',d.pl('port_of_discharge',s.pod,'nc')]])
    D.add_paragraph(''); rows=[['Container no. / seal no.','Packages and goods','Gross weight','Measurement']]; ds=d.pr('description','; '.join(l['desc'] for l in s.lines))
    for i,c in enumerate(s.con): r=d.row('containers'); rows.append([r.n('number',c['no'])+'\n'+r.n('seal',c['seal'])+'\n'+r.c('size_type',c['ty'],TY[c['ty']][1]),r.q('packages',c['pk'])+' '+s.pkw+('\n'+ds if i==0 else ''),r.m('gross_weight',c['gw'],1,'en',' kgs'),r.v('volume',c['vol'],2,'en',' cbm')])
    T(D,rows); D.add_paragraph('\nFreight %s. Shipped on board %s. Issued at %s on %s.'%(d.c('freight_terms','prepaid','prepaid'),d.d('on_board_date',s.ob,'d M y'),d.pl('issue_place',s.pol),d.d('issue_date',s.ob,'d M y'))); return d,dx(D),'docx'
def ml(s,subj,frm,to,day):
    m=EmailMessage(); m['From']=frm; m['To']=to; m['Subject']=subj; m['Date']=format_datetime(datetime.datetime(day.year,day.month,day.day,9,s.r.randint(0,59),12,tzinfo=datetime.timezone.utc)); m['Message-ID']='<%d.%d@mail.example.net>'%(s.r.randint(1e8,9e8),s.r.randint(10,99)); return m
def m1(s):
    d=Doc('booking_confirmation','e-eml-booking'); d.c('scac',s.scac,s.line); r=d.row('equipment'); e=s.etd; di=s.bi
    m=ml(s,'Booking confirmed %s / %s - %s'%(s.bkg,s.pol[1],s.pod[1]),'Booking Desk <booking@fwd.example>','export@shipper.example',di)
    m.set_content('Dear team,\n\nplease find your booking confirmation below.\n\nCarrier: %s\nBooking no.: %s\nConfirmation date: %s\nVessel: %s\nVoyage: %s\nPOL: %s\nPOD: %s\nETD: %s\nETA: %s\nEquipment: %s x %s\nEmpty pick-up depot: %s\n\nSI closing: %s\nVGM closing: %s\nCY closing: %s\n\nBest regards\nMei\n%s\n'%(s.line,d.n('booking_number',s.bkg),d.d('issue_date',di,'dMy'),d.t('vessel',s.ship),d.n('voyage',s.voy),d.pl('port_of_lading',s.pol,'n(c)'),d.pl('port_of_discharge',s.pod,'n(c)'),d.d('etd',e,'dMy'),d.d('eta',s.eta,'dMy'),r.q('quantity',len(s.con)),r.c('size_type',s.tk,TY[s.tk][1]),d.t('empty_pickup','Huangdao Depot 2'),d.d('si_cutoff',e-D_(4),'dMy','17:00'),d.d('vgm_cutoff',e-D_(3),'dMy','12:00'),d.d('cy_cutoff',e-D_(2),'dMy','20:00'),U_(s.fwd[0])))
    return d,m.as_bytes(),'eml'
def m2(s):
    d=Doc('freight_invoice','e-eml-fi'); f=LAY['fi-carrier'][1]; d,h=f(s); d.layout='e-eml-fi'; p=pdf(h,'chromium'); m=ml(s,'Invoice for B/L %s'%s.bl,'Accounts <ar@carrier.example>','import@client.example',s.ob+D_(2)); m.set_content('Good day,\n\nattached please find our invoice for your shipment. Kindly arrange payment.\n\nRegards\nAccounts receivable\n')
    fn='Invoice_%s.pdf'%d.f['invoice_number']; m.add_attachment(open(p,'rb').read(),maintype='application',subtype='pdf',filename=fn); d.att=fn; return d,m.as_bytes(),'eml'
def m3(s):
    d=Doc('arrival_notice','e-eml-an'); d.c('scac',s.scac,s.line); m=ml(s,'ARRIVAL NOTICE - %s %s'%(s.ship,s.voy),'Import <import@agent.example>','ops@client.example',s.notice); x=cons(d,s)
    kv=lambda a,b:'<tr><td>%s</td><td>%s</td></tr>'%(a,b)
    h='<html><body><h3>Arrival Notice</h3><table>'+kv('Date',d.d('issue_date',s.notice,'d M y'))+kv('Shipping line',s.line)+kv('Bill of lading',d.n('bl_number',s.bl))+kv('Vessel',d.t('vessel',s.ship))+kv('Voyage',d.n('voyage',s.voy))+kv('Port of loading',d.pl('port_of_lading',s.pol,'nc'))+kv('Port of discharge',d.pl('port_of_discharge',s.pod,'nc'))+kv('ETA',d.d('eta',s.eta,'d M y'))+kv('Terminal',d.t('terminal',s.term[0]))+kv('Consignee',d.pa('consignee',s.imp))+kv('Last free day',d.d('last_free_day',s.lfd,'d M y'))+'</table><table border=1><tr><th>Container</th><th>Type</th><th>Seal</th><th>Packages</th><th>Gross weight</th></tr>'+x+'</table><p>%s</p></body></html>'%s.ntf[0]
    m.set_content('Please view this message as HTML.'); m.add_alternative(h,subtype='html'); return d,m.as_bytes(),'eml'
def cons(d,s):
    o=''
    for c in s.con: r=d.row('containers'); o+='<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>'%(r.n('number',c['no']),r.c('size_type',c['ty'],TY[c['ty']][0]),r.n('seal',c['seal']),r.q('packages',c['pk'],'plain'),r.m('gross_weight',c['gw'],1))
    return o
E=[(x1,'CNNGB AUMEL bike',''),(x2,'TRIST CAVAN tile',''),(x3,'VNSGN USLAX furn','ONEY'),(x4,'CNSHA USNYC house','EGLV'),(x5,'CNYTN GBFXT lamp',''),(w1,'INNSA GBSOU text',''),(w2,'VNHPH CATOR furn',''),(w3,'CNXMN AUSYD stone','HDMU'),(w4,'DEBRV BRSSZ tool','HLCU'),(m1,'CNTAO USHOU tyre','MSCU'),(m2,'BRPNG GBFXT coffee','CMDU'),(m3,'MYPKG GBSOU house','COSU')]
if __name__=='__main__':
    for i,(f,lane,sc) in enumerate(E):
        n='u4-e%02d'%(i+1)
        if os.path.exists(os.path.join(OUT,n+'.json')): continue
        s=mk('',10100+i,lane,scac=sc or None); d,b,ext=f(s); save(n,'e',{'xlsx':'openpyxl','docx':'python-docx','eml':'python email'}[ext],[d],b,ext,1)
