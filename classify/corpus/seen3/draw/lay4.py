from lay3 import *
import docx, openpyxl
from docx.shared import Pt, Mm
from docx.enum.text import WD_ALIGN_PARAGRAPH as AL
from openpyxl.styles import Font, Alignment, Border, Side, PatternFill
from openpyxl.utils import get_column_letter as GL_
def dx(font='Calibri',size=10.5,m=18):
    d=docx.Document(); st=d.styles['Normal']; st.font.name=font; st.font.size=Pt(size); st.paragraph_format.space_after=Pt(4)
    for s in d.sections: s.page_width,s.page_height=Mm(210),Mm(297); s.left_margin=s.right_margin=s.top_margin=s.bottom_margin=Mm(m)
    return d
def P_(d,x='',b=False,al=None,sz=None):
    p=d.add_paragraph(); r=p.add_run(x); r.bold=b
    if sz: r.font.size=Pt(sz)
    if al: p.alignment={'c':AL.CENTER,'r':AL.RIGHT}[al]
    return p
def TB(d,rows,style='Table Grid',w=None,bold=True):
    tb=d.add_table(rows=0,cols=len(rows[0])); tb.style=style
    for i,r in enumerate(rows):
        c=tb.add_row().cells
        for j,x in enumerate(r):
            c[j].text=''; run=c[j].paragraphs[0].add_run(x); run.bold=bool(bold and i==0)
            c[j].paragraphs[0].paragraph_format.space_after=Pt(0)
            if w: c[j].width=Mm(w[j])
    return tb
def ctab(s,t,cols,head):
    rows=[head]
    for k in s.conts:
        r=t.row('containers'); v=[]
        for c in cols: v.append({'n':lambda:r.cont(k),'ns':lambda:r.cont(k,'sp1'),'nd':lambda:r.cont(k,'dash'),'s':lambda:r.n('seal',k.seal),'z':lambda:r.size(k,0),'z1':lambda:r.size(k,1),'z2':lambda:r.size(k,2),'p':lambda:r.q('packages',k.pk),'w':lambda:r.mass('gross_weight',k.kg,1,suf=' kg'),'W':lambda:r.mass('gross_weight',k.kg,2,suf=''),'v':lambda:r.vol('volume',k.m3,2,suf=' m3'),'V':lambda:r.vol('volume',k.m3,3,suf='')}[c]())
        rows.append(v)
    return rows
@lay('dx-an','arrival_notice',o=['CN','VN','TR'],d=['AU','CA','GB'],mode='txt')
def _(s,t):
    d=dx('Arial',10); P_(d,s.fwd[0],True,sz=14); P_(d,', '.join(s.fwd[1])); P_(d,'IMPORT ARRIVAL NOTIFICATION',True,'c',13)
    TB(d,[['Our reference',t.n('notice_number','IM'+s.bkg[:7])],['Date of notice',t.date('issue_date',s.eta-D.timedelta(5),'d Month Y')],['Consignee',t.party('consignee',s.consignee)],['Notify',t.party('notify_party',s.notify)],['Vessel and voyage',t.text('vessel',s.ship)+' V.'+t.n('voyage',s.voy)],['Ocean bill',t.n('bl_number',s.bl)],['House bill',t.n('hbl_number',s.hbl)],['Loaded',t.place('port_of_lading',s.pol,'n,C')],['Discharge',t.place('port_of_discharge',s.pod,'n,C')],['Due to arrive',t.date('eta',s.eta,'d Month Y')],['Available at',t.text('terminal',s.r.choice(TERM).title())],['Free until',t.date('last_free_day',s.eta+D.timedelta(5),'d Month Y')]],w=[45,130],bold=False)
    P_(d); TB(d,ctab(s,t,['n','z','s','p','w','v'],['Container','Type','Seal','Pkgs','Gross weight','Cubic'])); P_(d,f'Cargo described as {s.g[0].lower()}.'); P_(d,'Kindly forward your customs documents at least 48 hours before arrival. Storage and detention will apply after the free period.'); return d
@lay('dx-co','certificate_of_origin',o=['TR','IN','CN'],d=['GB','AE','PE','CO'],mode='txt')
def _(s,t):
    d=dx('Times New Roman',11,22); P_(d,'CERTIFICATE OF ORIGIN',True,'c',16); P_(d,'Chamber of Commerce and Industry',al='c'); P_(d,'Serial no. '+t.n('certificate_number',f'{s.r.randint(100000,999999)}/26'),al='r')
    TB(d,[['Exporter',t.party('exporter',s.shipper)],['Consigned to',t.party(None,s.consignee)],['Country of origin',t.text('country_of_origin',CN[s.o])],['Transport',f'By sea from {P[s.pol]} to {P[s.pod]}'],['Invoice number',t.n('invoice_number',s.inv)],['Goods',f'{s.pk} {s.g[5].lower()} {s.g[0].lower()}\nGross weight {nf(s.kg,1)} kg']],w=[45,120],bold=False)
    P_(d); P_(d,'It is hereby certified that the goods described above are, to the best of our knowledge, of the origin stated.'); P_(d,f'{P[s.pol]}, '+t.date('issue_date',s.issue,'d Month Y')); P_(d,'Seal and signature of the Chamber'); return d
@lay('dx-hbl','house_bill_of_lading',o=['CN','IN','VN'],d=['US','ES','GB'],mode='txt')
def _(s,t):
    d=dx('Arial',8.5,14); P_(d,s.fwo[0],True,'c',13); P_(d,'HOUSE BILL OF LADING - PROOF FOR SHIPPER',True,'c')
    tb=d.add_table(rows=6,cols=2); tb.style='Table Grid'; C=lambda i,j,a,b: tb.cell(i,j).paragraphs[0].add_run(a+'\n'+b)
    C(0,0,'SHIPPER',t.party('shipper',s.shipper)); C(0,1,'HOUSE B/L NO.',t.n('hbl_number',s.hbl)+'\nMASTER B/L NO.\n'+t.n('bl_number',s.bl)); C(1,0,'CONSIGNEE',t.party('consignee',s.consignee)); C(1,1,'NOTIFY PARTY',t.party('notify_party',s.notify)); C(2,0,'VESSEL',t.text('vessel',s.ship)); C(2,1,'VOYAGE NO.',t.n('voyage',s.voy)); C(3,0,'PORT OF LOADING',t.place('port_of_lading',s.pol,'N,C')); C(3,1,'PORT OF DISCHARGE',t.place('port_of_discharge',s.pod,'N,C')); C(4,0,'PLACE OF RECEIPT',t.place('place_of_receipt',s.por,'N,C')); C(4,1,'PLACE OF DELIVERY',t.place('place_of_delivery',s.pld,'N,C')); C(5,0,'FREIGHT',t.code('freight_terms','COLLECT','collect')); C(5,1,'ORIGINALS',t.set('originals','THREE (3)','3'))
    P_(d); TB(d,ctab(s,t,['n','s','z1','p','W','V'],['CONTAINER','SEAL','TYPE','PKGS','KGS','CBM'])); P_(d); P_(d,'DESCRIPTION OF GOODS',True); P_(d,t.prose('description',[s.g[0],'ORDER '+s.po])); P_(d,'LADEN ON BOARD '+t.date('on_board_date',s.etd,'dMONY')); P_(d,'PLACE AND DATE OF ISSUE: '+t.place('issue_place',s.por,'N')+' '+t.date('issue_date',s.etd,'dMONY')); return d
@lay('dx-do','delivery_order',o=['CN','KR','IN'],d=['US','CA'],mode='txt')
def _(s,t):
    d=dx('Calibri',11); P_(d,s.fwd[0],True,sz=15); P_(d,'TRUCKING / DELIVERY ORDER',True,sz=13); P_(d,'D.O. number: '+t.n('do_number','T'+s.ref)+'          Date: '+t.date('issue_date',s.eta,'Month d, Y'))
    tb=d.add_table(rows=1,cols=2); tb.cell(0,0).text='Carrier\n'+t.party('trucker',s.r.choice(TRK)); tb.cell(0,1).text='Deliver to\n'+t.party('deliver_to',s.consignee)
    P_(d); P_(d,'Pick up at: '+t.text('terminal',s.r.choice(TERM).title())); P_(d,'Pick up number: '+t.n('pickup_number',str(s.r.randint(100000,999999)))); P_(d,'Last free day: '+t.date('last_free_day',s.eta+D.timedelta(4),'Month d, Y')); P_(d,'Empty return: '+t.text('empty_return',s.r.choice(DEP).title())); P_(d,'Vessel '+t.text('vessel',s.ship)+', voyage '+t.n('voyage',s.voy)+', ocean B/L '+t.n('bl_number',s.bl)); TB(d,ctab(s,t,['n','z','s','p','w'],['Container number','Size','Seal','Packages','Weight']),style='Light List Accent 1'); P_(d,f'Commodity: {s.g[0].lower()}'); P_(d,'Driver to check seal before leaving the terminal. Receiver must sign the proof of delivery.'); return d
@lay('dx-bk','booking_confirmation',o=['GB','US','TR'],d=['AU','AE','ZA','IN'],mode='txt')
def _(s,t):
    d=dx('Times New Roman',11,22); e=s.etd; k=s.conts[0]; r=t.row('equipment'); dt=lambda n,j,h,m:t.date(n,e-D.timedelta(j),'d Month Y',time=(h,m),tf=' at %H:%M')
    P_(d,s.fwo[0],True,sz=14); P_(d,t.date('issue_date',e-D.timedelta(13),'d Month Y'),al='r'); P_(d,s.shipper[0]); P_(d,'Booking confirmation '+t.n('booking_number',s.bkg),True)
    P_(d,f'We are pleased to confirm space for {r.q("quantity",len(s.conts))} x {r.set("size_type",SZ[k.t][5],k.t)} with {s.line} on board {t.text("vessel",s.ship)}, voyage {t.n("voyage",s.voy)}, from {t.place("port_of_lading",s.pol,"n")} to {t.place("port_of_discharge",s.pod,"n")}.')
    TB(d,[['Event','Date'],['Estimated time of departure',t.date('etd',e,'d Month Y')],['Estimated time of arrival',t.date('eta',s.eta,'d Month Y')],['Shipping instructions due',dt('si_cutoff',5,12,0)],['VGM due',dt('vgm_cutoff',3,12,0)],['Terminal receiving closes (CY cut-off)',dt('cy_cutoff',2,16,30)]],w=[90,80]); P_(d); P_(d,'Empty containers may be collected from '+t.text('empty_pickup',s.r.choice(DEP).title())+'.'); P_(d,'Rollings and cancellations are subject to carrier tariff.'); P_(d,'Export Department'); return d
@lay('dx-pl','packing_list',o=['IT','ES','TR'],d=['US','AE','GB'],mode='txt')
def _(s,t):
    d=dx('Verdana',9); P_(d,s.shipper[0],True,sz=13); P_(d,', '.join(s.shipper[1])); P_(d,'PACKING LIST to invoice '+t.n('invoice_number',s.inv)+' dated '+t.date('issue_date',s.issue,'d Mon Y'),True); P_(d,'Consignee: '+t.party(None,s.consignee,', ')); P_(d,'Customer order: '+t.n('po_number',s.po)); rows=[['Goods','Pieces','Packages','Net kg','Gross kg']]; tot=[0]*3
    for l in s.lines():
        r=t.row('lines'); rows.append([r.text('description',l.d.capitalize()),r.q('quantity',l.q),r.q('packages',l.pk),r.mass('net_weight',l.n,1,suf=''),r.mass('gross_weight',l.g,1,suf='')]); tot=[a+b for a,b in zip(tot,[l.pk,l.n,l.g])]
    rows.append(['Total','',t.q('packages',tot[0]),t.mass('net_weight',tot[1],1,suf=''),t.mass('gross_weight',tot[2],1,suf='')]); TB(d,rows); P_(d); P_(d,'Marks: '+t.prose('marks',[s.consignee[0].split()[0]+' '+s.po])); 
    for k in s.conts: r=t.row('containers'); P_(d,'Container '+r.cont(k,'dash')+' / seal '+r.n('seal',k.seal))
    P_(d,'Wooden packaging complies with ISPM 15.'); return d
# ---------- xlsx
th=Side(style='thin'); BX=Border(th,th,th,th)
def X(name='Sheet1',w=()):
    wb=openpyxl.Workbook(); ws=wb.active; ws.title=name
    for i,x in enumerate(w): ws.column_dimensions[GL_(i+1)].width=x
    ws.page_setup.fitToWidth=1; ws.page_setup.fitToHeight=0; ws.sheet_properties.pageSetUpPr=openpyxl.worksheet.properties.PageSetupProperties(fitToPage=True); ws.page_setup.orientation='portrait'; ws.page_setup.paperSize=9
    return wb,ws
def put(ws,c,v,b=False,fmt=None,box=False,wrap=False,al=None,sz=None):
    x=ws[c]; x.value=v
    if b or sz: x.font=Font(bold=b,size=sz or 11)
    if fmt: x.number_format=fmt
    if box: x.border=BX
    if wrap or al: x.alignment=Alignment(wrap_text=wrap,vertical='top',horizontal=al)
    return x
@lay('xl-ci','commercial_invoice',o=['CN','VN','IN'],d=['US','GB','CA','AU'],mode='txt')
def _(s,t):
    wb,ws=X('Invoice',[30,14,12,10,14,16]); ws.merge_cells('A1:F1'); put(ws,'A1',s.shipper[0],True,al='center',sz=14); ws.merge_cells('A2:F2'); put(ws,'A2',', '.join(s.shipper[1]),al='center'); t.party('seller',s.shipper); ws.merge_cells('A3:F3'); put(ws,'A3','COMMERCIAL INVOICE',True,al='center',sz=16)
    put(ws,'A5','Buyer:',True); ws.merge_cells('A6:C9'); put(ws,'A6',t.party('buyer',s.consignee),wrap=True); i=s.r.choice(INC)
    for j,(a,b) in enumerate([('Invoice No.',t.n('invoice_number',s.inv)),('Date',None),('PO No.',t.n('po_number',s.po)),('Terms',t.code('incoterm',i,i)+' '+P[s.pol]),('Payment',t.text('payment_terms',s.r.choice(PAY[2:])))]):
        put(ws,f'D{5+j}',a,True); ws.merge_cells(f'E{5+j}:F{5+j}')
        if a=='Date': t.date('issue_date',s.issue,'dMonY'); put(ws,f'E{5+j}',D.datetime.combine(s.issue,D.time()),fmt='dd-mmm-yyyy',al='left')
        else: put(ws,f'E{5+j}',b)
    r0=12
    for j,h in enumerate(['Description','HS code','Quantity','Unit','Unit price USD','Amount USD']): put(ws,f'{GL_(j+1)}{r0-1}',h,True,box=True)
    ls=s.lines(); tot=0
    for j,l in enumerate(ls):
        r=t.row('lines'); n=r0+j; put(ws,f'A{n}',r.text('description',l.d),box=True); put(ws,f'B{n}',r.n('hs_code',l.hs),box=True); r.q('quantity',l.q); put(ws,f'C{n}',l.q,fmt='#,##0',box=True); put(ws,f'D{n}',r.text('unit',l.u),box=True); r.money('unit_price',l.p,'USD'); put(ws,f'E{n}',l.p,fmt='#,##0.00',box=True); r.money('amount',l.a,'USD'); put(ws,f'F{n}',f'=C{n}*E{n}',fmt='#,##0.00',box=True); tot+=l.a
    n=r0+len(ls); put(ws,f'A{n}','TOTAL',True); put(ws,f'F{n}',f'=SUM(F{r0}:F{n-1})',True,fmt='#,##0.00',box=True); t.money('total',tot,'USD'); t.code('currency','USD','USD')
    put(ws,f'A{n+2}','Container(s): '+', '.join(t.row('containers').cont(k) for k in s.conts)); put(ws,f'A{n+3}',f'Country of origin: {CN[s.o]}'); 
    w2=wb.create_sheet('Bank details'); put(w2,'A1','Beneficiary'); put(w2,'B1',s.shipper[0]); put(w2,'A2','Account'); put(w2,'B2',s.bkg+'001'); put(w2,'A3','SWIFT'); put(w2,'B3','HVBKCNBJ'); return wb
@lay('xl-pl','packing_list',o=['CN','VN'],d=['US','GB','ZA','CA'],mode='txt')
def _(s,t):
    wb,ws=X('PL',[34,10,10,12,12,12]); put(ws,'A1','PACKING LIST',True,sz=16); put(ws,'A2',s.shipper[0]); put(ws,'A4','Packing list no.'); put(ws,'B4',t.n('packing_list_number','PL'+s.ref)); put(ws,'A5','Invoice no.'); put(ws,'B5',t.n('invoice_number',s.inv)); put(ws,'A6','Date'); t.date('issue_date',s.issue,'iso'); put(ws,'B6',D.datetime.combine(s.issue,D.time()),fmt='yyyy-mm-dd',al='left'); put(ws,'A7','Purchase order'); put(ws,'B7',t.n('po_number',s.po)); put(ws,'A8','Marks'); put(ws,'B8',t.prose('marks',[s.consignee[0].split()[0]+' / '+P[s.pod].upper()]))
    for c in 'ABCDEF': ws.column_dimensions[c].width=ws.column_dimensions[c].width
    ws.merge_cells('C10:F10'); put(ws,'C10','Packed',True,al='center'); 
    for j,h in enumerate(['Goods','Qty','Cartons','N.W. (kg)','G.W. (kg)','Meas. (m3)']): put(ws,f'{GL_(j+1)}11',h,True,box=True)
    ls=s.lines(); tot=[0]*4
    for j,l in enumerate(ls):
        r=t.row('lines'); n=12+j; r.q('quantity',l.q); r.q('packages',l.pk); r.mass('net_weight',l.n,1); r.mass('gross_weight',l.g,1); r.vol('volume',l.v,3); put(ws,f'A{n}',r.text('description',l.d))
        for c,v,f in zip('BCDEF',[l.q,l.pk,l.n,l.g,l.v],['#,##0','#,##0','#,##0.0','#,##0.0','0.000']): put(ws,f'{c}{n}',v,fmt=f)
        tot=[a+b for a,b in zip(tot,[l.pk,l.n,l.g,l.v])]
    n=12+len(ls); put(ws,f'A{n}','Total',True)
    for c,f in zip('BCDEF',['#,##0','#,##0','#,##0.0','#,##0.0','0.000']): put(ws,f'{c}{n}',f'=SUM({c}12:{c}{n-1})',True,fmt=f)
    t.q('packages',tot[0]); t.mass('net_weight',tot[1],1); t.mass('gross_weight',tot[2],1); t.vol('volume',tot[3],3)
    w2=wb.create_sheet('Containers'); put(w2,'A1','Container',True); put(w2,'B1','Seal',True)
    for j,k in enumerate(s.conts): r=t.row('containers'); put(w2,f'A{j+2}',r.cont(k)); put(w2,f'B{j+2}',r.n('seal',k.seal))
    w2.column_dimensions['A'].width=w2.column_dimensions['B'].width=18; return wb
@lay('xl-an','arrival_notice',o=['CN','IN'],d=['US','CA'],mode='txt')
def _(s,t):
    wb,ws=X('Arrival',[20,26,20,24,14,14]); ws.merge_cells('A1:F1'); put(ws,'A1',s.fwd[0]+' - ARRIVAL NOTICE',True,al='center',sz=14)
    g=[('Notice no.',t.n('notice_number','A'+s.bkg[:6]),'Notice date',s.eta-D.timedelta(4),'issue_date'),('Master B/L',t.n('bl_number',s.rbl),'House B/L',t.n('hbl_number',s.hbl)),('SCAC',t.n('scac',s.real[1]),'Vessel',t.text('vessel',s.ship)),('Voyage',t.n('voyage',s.voy),'ETA',s.eta,'eta'),('Port of loading',t.place('port_of_lading',s.pol,'n,c'),'Port of discharge',t.place('port_of_discharge',s.pod,'n,c')),('Firms code',t.n('firms_code',s.r.choice(FIRMS)),'Terminal',t.text('terminal',s.r.choice(TERM))),('Last free day',s.eta+D.timedelta(5),'Delivery place',t.place('place_of_delivery',s.pld,'n,c'),'last_free_day')]
    for j,x in enumerate(g):
        n=3+j
        for c,v in zip('ABCD',x[:4]):
            if isinstance(v,D.date): t.date(x[4],v,'Mon d, Y'); put(ws,f'{c}{n}',D.datetime.combine(v,D.time()),fmt='mmm dd, yyyy',al='left',box=True)
            else: put(ws,f'{c}{n}',v,b=c in'AC',box=True)
    put(ws,'A11','Consignee',True); ws.merge_cells('B11:D11'); put(ws,'B11',t.party('consignee',s.consignee),wrap=True); ws.row_dimensions[11].height=62
    for j,h in enumerate(['Container','Seal','Type','Packages','Weight kg','CBM']): put(ws,f'{GL_(j+1)}13',h,True,box=True)
    for j,k in enumerate(s.conts):
        r=t.row('containers'); n=14+j; put(ws,f'A{n}',r.cont(k)); put(ws,f'B{n}',r.n('seal',k.seal)); put(ws,f'C{n}',r.size(k,3)); r.q('packages',k.pk); r.mass('gross_weight',k.kg,2); r.vol('volume',k.m3,3)
        for c,v,f in zip('DEF',[k.pk,k.kg,k.m3],['0','#,##0.00','0.000']): put(ws,f'{c}{n}',v,fmt=f)
    n=15+len(s.conts); put(ws,f'A{n}','Charges',True); put(ws,f'B{n}','USD',True); c=chg(s,'USD',3)
    for j,(a,v) in enumerate(c): r=t.row('charges'); put(ws,f'A{n+1+j}',r.text('description',a)); r.money('amount',v,'USD'); put(ws,f'B{n+1+j}',v,fmt='#,##0.00')
    put(ws,f'A{n+4}','Total due',True); put(ws,f'B{n+4}',f'=SUM(B{n+1}:B{n+3})',True,fmt='#,##0.00'); return wb
@lay('xl-fi','freight_invoice',o=['CN','IN'],d=['US','GB'],mode='txt')
def _(s,t):
    cur='USD' if s.d=='US' else 'GBP'; wb,ws=X('Freight invoice',[28,16,12,16]); put(ws,'A1',s.fwd[0],True,sz=14); put(ws,'A2',', '.join(s.fwd[1])); put(ws,'C1','FREIGHT INVOICE',True); put(ws,'A4','Bill to'); ws.merge_cells('B4:D4'); put(ws,'B4',t.party(None,s.consignee),wrap=True); ws.row_dimensions[4].height=62
    for j,(a,b) in enumerate([('Invoice number',t.n('invoice_number','FI'+s.ref)),('Invoice date',('issue_date',s.eta)),('Due date',('due_date',s.eta+D.timedelta(30))),('Bill of lading',t.n('bl_number',s.bl)),('Vessel',s.ship),('Currency',t.code('currency',cur,cur))]):
        put(ws,f'A{6+j}',a)
        if isinstance(b,tuple): t.date(b[0],b[1],'dMonY'); put(ws,f'B{6+j}',D.datetime.combine(b[1],D.time()),fmt='dd-mmm-yyyy',al='left')
        else: put(ws,f'B{6+j}',b)
    for j,h in enumerate(['Charge','Rate','Units','Amount']): put(ws,f'{GL_(j+1)}13',h,True,box=True)
    tot=0; n=len(s.conts)
    for j,(a,v) in enumerate(chg(s,cur,4)): put(ws,f'A{14+j}',a); put(ws,f'B{14+j}',v,fmt='#,##0.00'); put(ws,f'C{14+j}',n); put(ws,f'D{14+j}',f'=B{14+j}*C{14+j}',fmt='#,##0.00'); tot+=v*n
    put(ws,'A18','Total payable',True); put(ws,'D18','=SUM(D14:D17)',True,fmt='#,##0.00'); t.money('total',tot,cur); return wb
@lay('xl-bk','booking_confirmation',o=['CN','VN'],d=['US','DE','GB'],mode='txt')
def _(s,t):
    wb,ws=X('Booking',[24,30,24,28]); ws.merge_cells('A1:D1'); put(ws,'A1','BOOKING CONFIRMATION',True,al='center',sz=15); e=s.etd; D_='d Mon Y'; r=t.row('equipment'); k=s.conts[0]
    g=[('Booking number',t.n('booking_number',s.bkg),'Issued',t.date('issue_date',e-D.timedelta(8),D_)),('Carrier',t.set('scac',s.real[0],s.real[1]),'Shipper',s.shipper[0]),('Vessel',t.text('vessel',s.ship),'Voyage',t.n('voyage',s.voy)),('Port of loading',t.place('port_of_lading',s.pol,'n(c)'),'Port of discharge',t.place('port_of_discharge',s.pod,'n(c)')),('ETD',t.date('etd',e,D_),'ETA',t.date('eta',s.eta,D_)),('Equipment',r.q('quantity',len(s.conts))+' x '+r.set('size_type',SZ[k.t][1],k.t),'Empty pick-up',t.text('empty_pickup',s.r.choice(DEP))),('SI cut-off',t.date('si_cutoff',e-D.timedelta(4),D_,time=(12,0)),'VGM cut-off',t.date('vgm_cutoff',e-D.timedelta(3),D_,time=(18,0))),('CY cut-off',t.date('cy_cutoff',e-D.timedelta(2),D_,time=(18,0)),'Customs cut-off',t.date('customs_cutoff',e-D.timedelta(2),D_,time=(9,0)))]
    for j,x in enumerate(g):
        for c,v in zip('ABCD',x): put(ws,f'{c}{3+j}',v,b=c in'AC',box=True)
    w2=wb.create_sheet('Remarks'); put(w2,'A1','Please return this sheet with the VGM of every container.'); return wb
# ---------- mails: (subject, from, kind, body)
@lay('em-bk','booking_confirmation',o=['US','GB','DE'],d=['KR','AE','BR','AU'],mode='txt')
def _(s,t):
    e=s.etd; D_='d Mon Y'; r=t.row('equipment'); k=s.conts[0]; f=lambda n,j,h,m:t.date(n,e-D.timedelta(j),D_,time=(h,m),tf=' %H%M hrs')
    return f'''Dear Marjorie,

Thanks for your booking, all confirmed with the line as below.

*** BOOKING CONFIRMATION ***

Booking no:      {t.n('booking_number',s.bkg)}
Confirmed:       {t.date('issue_date',e-D.timedelta(10),D_)}
Carrier:         {t.set('scac',s.real[0],s.real[1])}
Vessel/voyage:   {t.text('vessel',s.ship)} / {t.n('voyage',s.voy)}
POL:             {t.place('port_of_lading',s.pol,'n')}
POD:             {t.place('port_of_discharge',s.pod,'n')}
ETD:             {t.date('etd',e,D_)}
ETA:             {t.date('eta',s.eta,D_)}
Equipment:       {r.q('quantity',len(s.conts))} x {r.set('size_type',SZ[k.t][1],k.t)}
Empty pick up:   {t.text('empty_pickup',s.r.choice(DEP).title())}
SI cut-off:      {f('si_cutoff',4,12,0)}
VGM cut-off:     {f('vgm_cutoff',3,17,0)}
CY cut-off:      {f('cy_cutoff',2,17,0)}

Please send SI in good time, late amendments are charged by the carrier.

Best regards
Dean Overby
{s.fwo[0]}
Phone +1 562 555 0139'''
@lay('em-do','delivery_order',o=['CN','VN'],d='US',mode='txt')
def _(s,t):
    x=f'''Team,

Please dispatch per the delivery order below.

DELIVERY ORDER {t.n('do_number',s.ref)}
Date: {t.date('issue_date',s.eta,'Mon d, Y')}
Trucker: {t.party('trucker',s.r.choice(TRK),one=True)}
Pickup terminal: {t.text('terminal',s.r.choice(TERM).title())}
FIRMS code: {t.n('firms_code',s.r.choice(FIRMS))}
Pickup number: {t.n('pickup_number',str(s.r.randint(100000,999999)))}
Last free day: {t.date('last_free_day',s.eta+D.timedelta(4),'Mon d, Y')}
Deliver to: {t.party('deliver_to',s.consignee,one=True)}
Empty return: {t.text('empty_return',s.r.choice(DEP).title())}
Vessel: {t.text('vessel',s.ship)}
Voyage: {t.n('voyage',s.voy)}
MBL: {t.n('bl_number',s.rbl)}
HBL: {t.n('hbl_number',s.hbl)}

'''
    for k in s.conts: r=t.row('containers'); x+=f'Container: {r.cont(k)}  {r.size(k,3)}  seal {r.n("seal",k.seal)}  {r.q("packages",k.pk)} {s.g[5].lower()}  {r.mass("gross_weight",k.kg,0,suf=" kg")}\n'
    return x+f'\nConfirm appointment time by return.\n\nThanks,\nLorena Saavedra\n{s.fwd[0]}'
@lay('em-an','arrival_notice',o=['CN','IN','VN'],d=['GB','AU','US'])
def _(s,t):
    D_='d Mon Y'; r=lambda a,b:f'<tr><td style="background:#eef;padding:3px 8px"><b>{a}</b></td><td style="padding:3px 8px">{b}</td></tr>'
    rows=''.join((lambda r:f'<tr><td>{r.cont(k)}</td><td>{r.size(k,0)}</td><td>{r.n("seal",k.seal)}</td><td>{r.q("packages",k.pk)}</td><td>{r.mass("gross_weight",k.kg,1,suf=" kg")}</td></tr>')(t.row('containers')) for k in s.conts)
    return f'''<html><body style="font-family:Calibri,Arial"><p>Dear customer,</p><p>Please find below the <b>Arrival Notice</b> for your shipment.</p><table border="1" cellspacing="0">{r("B/L number",t.n("bl_number",s.bl))}{r("Consignee",t.party("consignee",s.consignee))}{r("Notify party",t.party("notify_party",s.notify))}{r("Vessel",t.text("vessel",s.ship))}{r("Voyage",t.n("voyage",s.voy))}{r("Port of loading",t.place("port_of_lading",s.pol,"n"))}{r("Port of discharge",t.place("port_of_discharge",s.pod,"n"))}{r("ETA",t.date("eta",s.eta,D_))}{r("Terminal",t.text("terminal",s.r.choice(TERM).title()))}{r("Last free day",t.date("last_free_day",s.eta+D.timedelta(5),D_))}</table><br><table border="1" cellspacing="0"><tr><th>Container</th><th>Type</th><th>Seal</th><th>Packages</th><th>Weight</th></tr>{rows}</table><p>Charges will be invoiced separately. This is an automated message, please do not reply.</p><p style="color:#888;font-size:11px">{s.line} &middot; Customer service &middot; This e-mail and any attachment are confidential.</p></body></html>'''
@lay('em-fi','freight_invoice',o=['CN','IN'],d=['US','GB'])
def _(s,t):
    cur='USD' if s.d=='US' else 'GBP'; c=chg(s,cur,4); D_='d Month Y'
    return f'''<html><body><div style="font-family:Arial;font-size:14px"><h2>Freight invoice {t.n("invoice_number",str(s.r.randint(70000000,79999999)))}</h2><p>Issued {t.date("issue_date",s.eta,D_)}<br>Payment due {t.date("due_date",s.eta+D.timedelta(21),D_)}<br>Bill of lading {t.n("bl_number",s.bl)}<br>Currency {t.code("currency",cur,cur)}</p><p>Billed to {s.consignee[0]}</p><table>{"".join(f"<tr><td>{x}</td><td align=right>{nf(a)}</td></tr>" for x,a in c)}<tr><td><b>Amount due</b></td><td align=right><b>{t.money("total",sum(a for _,a in c),cur)}</b></td></tr></table><p>Pay online at https://pay.{s.line.split()[0].lower()}.example/i</p></div></body></html>'''
# ---------- long tables
def pick(s,n): pass
@lay('bl-rider','bill_of_lading',o=['BR','IN','US'],d=['CN','AE','NL','ES'],n=48)
def _(s,t):
    rows=''.join((lambda r:f'<tr><td>{i+1}<td>{r.cont(k,"sp1")}<td>{r.size(k,3)}<td>{r.n("seal",k.seal)}<td align=right>{r.q("packages",k.pk)}<td align=right>{r.mass("gross_weight",k.kg,2,suf="")}<td align=right>{r.vol("volume",k.m3,3,suf="")}')(t.row('containers')) for i,k in enumerate(s.conts))
    k=lambda a,b,cs=1:f'<td colspan={cs}><div style="font-size:6.5pt">{a}</div>{b}</td>'
    return page('body{font:8.5pt Arial}.b{width:100%}.b td{border:1px solid #000;padding:2px 4px}.i{width:100%}.i td,.i th{border:1px solid #999;padding:2px 6px}',f'''<b style="font-size:14pt">{s.line}</b> &nbsp; BILL OF LADING<table class=b><tr>{k("Shipper",t.party("shipper",s.shipper),2)}{k("B/L No.",t.n("bl_number",s.bl))}{k("Booking No.",t.n("booking_number",s.bkg))}</tr><tr>{k("Consignee",t.party("consignee",s.consignee),2)}{k("Notify Party",t.party("notify_party",s.notify),2)}</tr><tr>{k("Vessel",t.text("vessel",s.ship))}{k("Voyage",t.n("voyage",s.voy))}{k("Port of Loading",t.place("port_of_lading",s.pol,"n,C"))}{k("Port of Discharge",t.place("port_of_discharge",s.pod,"n,C"))}</tr><tr>{k("Description of goods",t.prose("description",[s.g[0],"IN BULK PACKING, CONTAINERS AS PER ATTACHED LIST"]),2)}{k("Gross weight",nf(s.kg,2)+" KGS")}{k("Measurement",nf(s.m3,3)+" CBM")}</tr><tr style="height:330px"><td colspan=4>SAID TO CONTAIN {len(s.conts)} CONTAINERS<br>FREIGHT {t.code("freight_terms","PREPAID","prepaid")}</td></tr><tr>{k("No. of original B/Ls",t.set("originals","THREE","3"))}{k("Place of issue",t.place("issue_place",s.pol,"n"))}{k("Date of issue",t.date("issue_date",s.etd+D.timedelta(1),"d MON Y"))}{k("On board",t.date("on_board_date",s.etd,"d MON Y"))}</tr></table><div style="page-break-before:always"><b>ATTACHED LIST TO B/L {s.bl}</b><br>Vessel {s.ship} voy. {s.voy}<table class=i><thead><tr><th>No.<th>Container<th>Type<th>Seal<th>Packages<th>Weight (kg)<th>Volume (m3)</thead>{rows}<tr><td colspan=4><b>GRAND TOTAL</b><td align=right>{nf(s.pk,0)}<td align=right>{nf(s.kg,2)}<td align=right>{nf(s.m3,3)}</table></div>''')
@lay('an-longtex','arrival_notice',o=['CN','VN','IN'],d=['US','GB','ES','NL'],mode='tex',n=55)
def _(s,t):
    rows=''.join((lambda r:f'{r.cont(k)} & {r.n("seal",k.seal)} & {r.size(k,2)} & {r.q("packages",k.pk)} & {r.mass("gross_weight",k.kg,1,suf="")} & {r.vol("volume",k.m3,2,suf="")}\\\\\n')(t.row('containers')) for k in s.conts)
    return r'''\documentclass[10pt]{article}\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}\usepackage[a4paper,margin=20mm]{geometry}\usepackage{longtable,booktabs,fancyhdr,lmodern}\setlength{\parindent}{0pt}\pagestyle{fancy}\lhead{'''+t.e(s.line)+r'''}\rhead{Notice of arrival}\cfoot{Page \thepage}\begin{document}{\Large Notice of Arrival}\par\vspace{3mm}\begin{tabular}{@{}lp{11cm}@{}}Notice number & '''+t.n('notice_number','NA'+s.bkg[:6])+r'''\\Issued & '''+t.date('issue_date',s.eta-D.timedelta(5),'d Mon Y')+r'''\\Bill of lading & '''+t.n('bl_number',s.bl)+r'''\\Consignee & '''+t.party('consignee',s.consignee)+r'''\\Notify party & '''+t.party('notify_party',s.notify)+r'''\\Vessel & '''+t.text('vessel',s.ship)+r'''\\Voyage & '''+t.n('voyage',s.voy)+r'''\\Port of loading & '''+t.place('port_of_lading',s.pol,'n,C')+r'''\\Port of discharge & '''+t.place('port_of_discharge',s.pod,'n,C')+r'''\\Expected arrival & '''+t.date('eta',s.eta,'d Mon Y')+r'''\\Discharge terminal & '''+t.text('terminal',s.r.choice(TERM).title())+r'''\\Free time expires & '''+t.date('last_free_day',s.eta+D.timedelta(7),'d Mon Y')+r'''\end{tabular}\par\vspace{3mm}\begin{longtable}{@{}lllrrr@{}}\toprule Container & Seal & Type & Pkgs & Gross kg & m$^3$\\\midrule\endhead '''+rows+r'''\bottomrule\end{longtable}Cargo: '''+t.e(s.g[0].lower())+r'''. Please surrender an original bill of lading to obtain release.\end{document}'''
@lay('swb-longtxt','sea_waybill',o=['TH' and 'VN','CN','KR'],d=['US','CA','DE'],mode='txt',n=44)
def _(s,t):
    out=[]; per=20; n=len(s.conts); pages=(n+per-1)//per
    for p in range(pages):
        x=[];a=x.append; a(f'{s.line}'.ljust(60)+f'PAGE {p+1} OF {pages}'); a('SEA WAYBILL - NOT NEGOTIABLE'.ljust(50)+'WAYBILL NO '+t.n('bl_number',s.bl)); a('')
        if p==0:
            a('SHIPPER    : '+t.party('shipper',s.shipper).replace('\n','\n             ')); a('CONSIGNEE  : '+t.party('consignee',s.consignee).replace('\n','\n             ')); a('NOTIFY     : '+t.party('notify_party',s.notify).replace('\n','\n             ')); a(''); a(('VESSEL     : '+t.text('vessel',s.ship)).ljust(44)+'VOYAGE : '+t.n('voyage',s.voy)); a(('LOAD PORT  : '+t.place('port_of_lading',s.pol,'N')).ljust(44)+'DISCHARGE PORT : '+t.place('port_of_discharge',s.pod,'N')); a(('BOOKING    : '+t.n('booking_number',s.bkg)).ljust(44)+'FREIGHT : '+t.code('freight_terms','PREPAID','prepaid')); a('GOODS      : '+t.prose('description',[s.g[0]+' IN '+s.g[5]])); a('')
        a('CONTAINER    TYPE SEAL            PACKAGES     WEIGHT KGS        CBM'); a('-'*70)
        ks=s.conts[p*per:(p+1)*per]
        for k in ks: r=t.row('containers'); a(r.cont(k).ljust(13)+r.size(k,1).ljust(5)+r.n('seal',k.seal).ljust(14)+r.q('packages',k.pk).rjust(10)+r.mass('gross_weight',k.kg,2,suf='').rjust(15)+r.vol('volume',k.m3,3,suf='').rjust(11))
        a('-'*70); tt=s.conts[:(p+1)*per]; a(('TOTAL' if p==pages-1 else 'CARRIED FORWARD').ljust(32)+nf(sum(k.pk for k in tt),0).rjust(10)+nf(sum(k.kg for k in tt)).rjust(15)+nf(sum(k.m3 for k in tt),3).rjust(11))
        if p==pages-1: a(''); a('SHIPPED ON BOARD '+t.date('on_board_date',s.etd,'dMONY')); a('ISSUED AT '+t.place('issue_place',s.pol,'N')+' ON '+t.date('issue_date',s.etd,'dMONY'))
        out.append('\n'.join(x))
    return '\f'.join(out)
@lay('do-long','delivery_order',o=['CN','TR','BR'],d=['GB','AE','ES','US'],mode='txt',n=64)
def _(s,t):
    d=dx('Arial',10,16); P_(d,'DELIVERY ORDER '+t.n('do_number',s.ref),True,sz=14); P_(d,'Issued by '+s.line+' on '+t.date('issue_date',s.eta,'d Mon Y')); P_(d,'Terminal: '+t.text('terminal',s.r.choice(TERM).title())); P_(d,'Release to: '+t.party('deliver_to',s.consignee,', ')); P_(d,'Haulier: '+t.party('trucker',('Ironbridge Haulage Ltd',['Dock Road 4','Tilbury']),', ')); P_(d,'Vessel: '+t.text('vessel',s.ship)+'    Voyage: '+t.n('voyage',s.voy)+'    B/L: '+t.n('bl_number',s.bl)); P_(d,'Last free day: '+t.date('last_free_day',s.eta+D.timedelta(7),'d Mon Y')+'    Empty return: '+t.text('empty_return',s.r.choice(DEP).title()))
    tb=TB(d,ctab(s,t,['ns','z','s','p','w'],['Container','Type','Seal','Packages','Gross weight'])); 
    from docx.oxml.ns import qn; from docx.oxml import OxmlElement
    h=OxmlElement('w:tblHeader'); h.set(qn('w:val'),'true'); tb.rows[0]._tr.get_or_add_trPr().append(h); P_(d,f'{len(s.conts)} containers in total. Return clean and unlabelled.'); return d
@lay('pl-long','packing_list',o=['CN','IN','IT'],d=['US','AE','GB'],n=58)
def _(s,t):
    s.unj+=['lines']
    kg=sum(k.kg for k in s.conts); nw=0; rows=''
    for k in s.conts:
        r=t.row('containers'); n=round(k.kg*.95,1); nw+=n; rows+=f'<tr><td>{r.cont(k,"dash")}</td><td>{r.n("seal",k.seal)}</td><td align=right>{k.pk}</td><td align=right>{nf(n,1)}</td><td align=right>{nf(k.kg,2)}</td></tr>'
    return page('body{font:9pt Arial}.i{width:100%}.i td,.i th{padding:4px 6px;border-bottom:1px solid #bbb}',f'''<h2>{s.shipper[0]}</h2><b>DETAILED PACKING LIST</b> No. {t.n("packing_list_number","DPL"+s.ref)}<table><tr><td>Invoice No.&nbsp;</td><td>{t.n("invoice_number",s.inv)}</td></tr><tr><td>Date</td><td>{t.date("issue_date",s.issue,"d Mon Y")}</td></tr><tr><td>Order No.</td><td>{t.n("po_number",s.po)}</td></tr><tr><td>Commodity</td><td>{s.g[0]}</td></tr><tr><td>Total packages</td><td>{t.q("packages",s.pk)}</td></tr><tr><td>Total net weight</td><td>{t.mass("net_weight",nw,1,suf=" kg")}</td></tr><tr><td>Total gross weight</td><td>{t.mass("gross_weight",kg,2,suf=" kg")}</td></tr></table><br><table class=i><thead><tr><th>Container No.</th><th>Seal No.</th><th>Packages</th><th>Net kg</th><th>Gross kg</th></tr></thead>{rows}</table>''')
