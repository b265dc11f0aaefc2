from eng import *
def k(c,v,a=''): return '<td style="border:1px solid #000;padding:2px 3px" %s><span style="font-size:7px">%s</span><br>%s</td>'%(a,c,v)
def entry(s): return '%s-%07d-%d'%(s.r.choice(['BKR','WLN','H73']),s.r.randint(1000000,9999999),s.r.randint(0,9))
@lay('ce-7501','customs_entry')
def _(s):
    d=Doc('customs_entry','ce-7501'); e=s.eta+D.timedelta(3); f='us/'
    if e.day<13 and s.eta.day<13: e=e.replace(day=e.day+12)
    h='<table width=100%%><tr><td>DEPARTMENT OF HOMELAND SECURITY<br>U.S. Customs and Border Protection</td><td class=r>OMB APPROVAL NO. 1651-0022</td></tr></table><center><b style="font-size:14px">ENTRY SUMMARY</b></center><table width=100%%><tr>%s%s%s</tr><tr>%s%s%s</tr><tr>%s%s%s</tr><tr>%s%s%s</tr><tr>%s%s%s</tr></table>'%(k('1. Filer Code/Entry Number',d.n('entry_number',entry(s))),k('2. Entry Type','01 ABI/A'),k('3. Summary Date',fdate(e+D.timedelta(9),f)),k('4. Surety Number','457'),k('5. Bond Type','8'),k('6. Port Code','2704'),k('7. Entry Date',d.d('entry_date',e,f)),k('8. Importing Carrier',s.ship+' V.'+s.voy),k('9. Mode of Transport','11'),k('10. Country of Origin',s.pol[0][:2]),k('11. Import Date',d.d('import_date',s.eta,f)),k('12. B/L or AWB Number',d.n('bl_number',s.bl)),k('13. Manufacturer ID',s.pol[0][:2]+'BRIHOU288NIN'),k('14. Exporting Country',s.pol[0][:2]),k('15. Export Date',fdate(s.etd,f)))
    h+='<table width=100%%><tr>%s%s</tr><tr>%s%s</tr></table><table width=100%%><tr>%s%s</tr></table>'%(k('19. Foreign Port of Lading','57035'),k('20. U.S. Port of Unlading','2704'),k('21. Location of Goods/G.O. Number',(s.term[1] or 'Y258')+' '+s.term[0]),k('22. Consignee Number','20-%07d00'%s.r.randint(1e6,9e6)),k('25. Ultimate Consignee Name and Address','SAME'),k('26. Importer of Record Name and Address',d.pa('importer',s.imp)))
    x=''
    for i,l in enumerate(s.lines): v=round(l['amt']); x+='<tr><td>%03d<td>%s<br>%s<td>%s KG<td class=r>%s<td class=r>%.1f%%<td class=r>%s</tr>'%(i+1,l['desc'].upper(),l['hs']+'00',num(l['gw'],0),num(v,0),3.4,num(v*.034))
    v=s.total; h+='<table width=100%% border=1 cellpadding=2><tr><th>27. Line<th>28. Description of Merchandise / 29.A HTSUS No.<th>30. Grossweight<th>32. Entered Value<th>33. HTSUS Rate<th>34. Duty and I.R. Tax</tr>%s</table><table width=100%%><tr>%s%s%s</tr></table><p>41. DECLARATION OF IMPORTER OF RECORD (OWNER OR PURCHASER) OR AUTHORIZED AGENT</p><table width=100%%><tr>%s%s</tr></table><p>CBP Form 7501 (5/22)</p>'%(x,k('35. Total Entered Value','$ '+num(v,0)),k('37. Duty',num(v*.034)),k('40. Total',num(v*.034+v*.003464)),k('42. Broker/Filer Information (Name, address, phone number)','<br>'.join([s.ntf[0]]+s.ntf[1])),k('43. Broker/Importer File No.','LP-%d'%s.r.randint(10000,99999)))
    d.unj=['bl_number'] if False else []
    return d,page(h,size='Letter',title='7501')
@lay('ce-uk-sad','customs_entry')
def _(s):
    d=Doc('customs_entry','ce-uk-sad'); e=s.eta+D.timedelta(1)
    h='<div style="font:9px Liberation Sans"><b style="font-size:13px">HM REVENUE &amp; CUSTOMS &ndash; IMPORT DECLARATION (CDS) &ndash; H1</b><table width=100%%><tr>%s%s%s</tr><tr>%s%s</tr><tr>%s%s</tr><tr>%s%s%s</tr></table>'%(k('MRN',d.n('entry_number','26GB%s%d'%(''.join(s.r.choice('ABCDEFGHJKLMNPRSTUVWXYZ0123456789') for _ in range(13)),s.r.randint(0,9))),'width=40%'),k('Declaration type','IM A'),k('Acceptance date',d.d('entry_date',e,'eu/')),k('Exporter','<br>'.join([s.exp[0]]+s.exp[1]),'colspan=2'),k('DUCR','6GB%012d-%s'%(s.r.randint(1e11,9e11),s.inv[-4:])),k('Importer',d.pa('importer',s.imp),'colspan=2'),k('Declarant / representative','<br>'.join([s.ntf[0]]+s.ntf[1])),k('Identity of means of transport',s.ship),k('Arrival date',d.d('import_date',s.eta,'eu/')),k('Transport document','N705 '+d.n('bl_number',s.bl)))
    for i,l in enumerate(s.lines): h+='<table width=100%% style="margin-top:4px"><tr>%s%s%s%s</tr><tr>%s%s%s%s</tr></table>'%(k('Item',str(i+1)),k('Goods description',l['desc']),k('Commodity code',l['hs'].replace('.','')+'00'),k('Origin',s.pol[0][:2]),k('Gross mass (kg)',num(l['gw'],1,'plain')),k('Net mass (kg)',num(l['nw'],1,'plain')),k('Item price',num(l['amt'],2,'plain')+' USD'),k('Duty A00 / VAT B00','4.00% / 20.00%'))
    h+='<p>Containers: %s &nbsp; Invoice: %s &nbsp; Incoterm: FOB %s</p><p>Route 6 &ndash; cleared. Goods location: GBAU%sFXTFXT</p></div>'%(', '.join(c['no'] for c in s.con),s.inv,s.pol[1],'FX')
    return d,page(h,title='CDS')
@lay('ce-broker-summary','customs_entry')
def _(s):
    d=Doc('customs_entry','ce-broker-summary'); L=[]; a=L.append
    a(s.ntf[0].upper()); a('LICENSED CUSTOMS BROKERS'); a(''); a('ENTRY/IMMEDIATE DELIVERY - CBP FORM 3461 DATA        PRINT %s'%fdate(s.eta+D.timedelta(2),'dMyc')); a('='*78)
    e=s.eta+D.timedelta(1)
    a('ENTRY NO....... %-26s ENTRY TYPE... 01'%d.n('entry_number',entry(s))); a('ENTRY DATE..... %-26s ARRIVAL DATE. %s'%(d.d('entry_date',e,'dMy'),d.d('import_date',s.eta,'dMy')))
    a('PORT CODE...... 1703                       BOND......... 8 - CONTINUOUS'); a('VESSEL/VOY..... %-26s CARRIER CODE. %s'%(s.ship+' '+s.voy,s.scac)); a('MASTER BILL.... %-26s HOUSE BILL... %s'%(d.n('bl_number',s.bl),s.hbl))
    a('IMPORTER OF RECORD:'); 
    for y in d.pa('importer',(s.imp[0].upper(),[z.upper() for z in s.imp[1]]),'\n').split('\n'): a('     '+html.unescape(y))
    a(''); a('LN  HTS NUMBER    DESCRIPTION                                   ORG  VALUE'); a('-'*78)
    for i,l in enumerate(s.lines): a('%03d %-13s %-45s %s %9.0f'%(i+1,l['hs']+'00',l['desc'].upper()[:45],s.pol[0][:2],l['amt']))
    a('-'*78); a('CONTAINERS: '+'  '.join(c['no'] for c in s.con)); a('STATUS: RELEASED 1C  /  FDA N/A'); 
    return d,page('<pre style="font:11px Liberation Mono">'+'\n'.join(html.escape(x) for x in L)+'</pre>',size='Letter',title='Entry')
@lay('co-china','certificate_of_origin')
def _(s):
    d=Doc('certificate_of_origin','co-china'); B='border:1px solid #000;padding:3px'; x=''
    for l in s.lines: x+='%d (%d) %s OF %s<br>'%(l['pk'],l['pk'],l['pkw'],l['desc'].upper())
    h='<center>ORIGINAL</center><table width=100%%><tr><td style="%s" width=50%%>1. Exporter<br>%s</td><td style="%s" rowspan=2>Certificate No. %s<br><br><center><b>CERTIFICATE OF ORIGIN<br>OF<br>THE PEOPLE\'S REPUBLIC OF CHINA</b></center></td></tr><tr><td style="%s">2. Consignee<br>%s</td></tr><tr><td style="%s">3. Means of transport and route<br>FROM %s TO %s BY SEA</td><td rowspan=2 style="%s">5. For certifying authority use only</td></tr><tr><td style="%s">4. Country / region of destination<br>%s</td></tr></table>'%(B,d.pa('exporter',s.exp),B,d.n('certificate_number','26C%dA%04d/%05d'%(s.r.randint(3000,4999),s.r.randint(1000,9999),s.r.randint(10,99999))),B,'<br>'.join([s.imp[0]]+s.imp[1]),B,s.pol[1].upper()+', CHINA',s.pod[1].upper(),B,B,s.pod[2].upper())
    h+='<table width=100%%><tr><td style="%s">6. Marks and numbers<br>%s</td><td style="%s">7. Number and kind of packages; description of goods<br>%s***************</td><td style="%s">8. H.S. Code<br>%s</td><td style="%s">9. Quantity<br>G.W. %s KGS</td><td style="%s">10. Number and date of invoices<br>%s<br>%s</td></tr></table>'%(B,s.mark.replace('\n','<br>'),B,x,B,'<br>'.join(l['hs'][:7] for l in s.lines),B,num(s.gw,1),B,d.n('invoice_number',s.inv),fdate(s.inv_d,'Md,y'))
    d.t('country_of_origin','CHINA'); ds=s.inv_d+D.timedelta(2)
    h+='<table width=100%%><tr><td style="%s" width=50%%>11. Declaration by the exporter<br>The undersigned hereby declares that the above details and statements are correct, that all the goods were produced in China and that they comply with the Rules of Origin of the People\'s Republic of China.<br><br>%s, CHINA %s<br>Place and date, signature and stamp of authorized signatory</td><td style="%s">12. Certification<br>It is hereby certified that the declaration by the exporter is correct.<br><br><br>%s, CHINA %s<br>Place and date, signature and stamp of certifying authority</td></tr></table>'%(B,s.pol[1].upper(),fdate(ds,'Md,y'),B,s.pol[1].upper(),d.d('issue_date',ds,'Md,y'))
    return d,page(h,css='body{font:10px Liberation Serif}',title='CO')
@lay('co-chamber','certificate_of_origin')
def _(s):
    d=Doc('certificate_of_origin','co-chamber'); 
    h='<div style="border:3px double #063;padding:14px;font:12px DejaVu Serif"><center><b style="font-size:18px;color:#063">CERTIFICATE OF ORIGIN</b><br>Issued by the Eastmere Chamber of Commerce &amp; Industry</center><p class=r>Serial No. %s</p><p>The undersigned, acting for <b>%s</b>, declares that the following goods shipped on <b>%s</b> to %s are the product of <b>%s</b>.</p><table width=100%% border=1 cellpadding=4><tr><th>Marks &amp; numbers</th><th>No. of pkgs</th><th>Description</th><th>Weight gross / net kg</th></tr>'%(d.n('certificate_number','EM %06d'%s.r.randint(1e5,9e5)),d.pa('exporter',s.exp,', '),s.ship,', '.join([s.imp[0]]+s.imp[1]),d.t('country_of_origin',s.pol[2]))
    for l in s.lines: h+='<tr><td>%s</td><td>%d %s</td><td>%s</td><td class=r>%s / %s</td></tr>'%(s.mark.split('\n')[0],l['pk'],l['pkw'].lower(),l['desc'],num(l['gw'],1),num(l['nw'],1))
    h+='</table><p>as covered by our invoice %s dated %s.</p><p>Sworn to before me this day</p><p>The Eastmere Chamber of Commerce &amp; Industry has examined the manufacturer\'s invoice or affidavit concerning the origin of the merchandise and, according to the best of its knowledge and belief, finds that the products named originated in %s.</p><p>Date of issue: %s &nbsp;&nbsp;&nbsp; Secretary: ______________</p></div>'%(d.n('invoice_number',s.inv),fdate(s.inv_d,'d M y'),s.pol[2],d.d('issue_date',s.inv_d+D.timedelta(3),'d M y'))
    return d,page(h,title='Certificate')
@lay('co-forma','certificate_of_origin')
def _(s):
    d=Doc('certificate_of_origin','co-forma'); B='border:1px solid #484;padding:3px'
    d.t('country_of_origin',s.pol[2])
    h='<table width=100%%><tr><td style="%s" width=50%%>1. Goods consigned from (Exporter\'s business name, address, country)<br><b>%s</b></td><td rowspan=2 style="%s"><center>Reference No. <b>%s</b><br><br>GENERALISED SYSTEM OF PREFERENCES<br><b>CERTIFICATE OF ORIGIN</b><br>(Combined declaration and certificate)<br><b>FORM A</b><br>Issued in %s</center></td></tr><tr><td style="%s">2. Goods consigned to (Consignee\'s name, address, country)<br><b>%s</b></td></tr><tr><td style="%s">3. Means of transport and route (as far as known)<br>BY SEA PER %s<br>FROM %s TO %s</td><td style="%s">4. For official use<br>ISSUED RETROSPECTIVELY: NO</td></tr></table><table width=100%%><tr><td style="%s">5. Item</td><td style="%s">6. Marks and numbers of packages</td><td style="%s">7. Number and kind of packages; description of goods</td><td style="%s">8. Origin criterion</td><td style="%s">9. Gross weight or other quantity</td><td style="%s">10. Number and date of invoices</td></tr>'%(B,d.pa('exporter',s.exp),B,d.n('certificate_number','%s-%07d'%(s.pol[0][:2],s.r.randint(1e6,9e6))),s.pol[2],B,'<br>'.join([s.imp[0]]+s.imp[1]),B,s.ship,s.pol[1].upper(),s.pod[1].upper(),B,B,B,B,B,B,B)
    for i,l in enumerate(s.lines): h+='<tr><td style="%s">%d</td><td style="%s">%s</td><td style="%s">%d %s %s</td><td style="%s">"P"</td><td style="%s">%s KGS</td><td style="%s">%s</td></tr>'%(B,i+1,B,s.imp[0].split()[0].upper() if i==0 else '',B,l['pk'],l['pkw'],l['desc'].upper(),B,B,num(l['gw'],1),B,(d.n('invoice_number',s.inv)+' DT '+fdate(s.inv_d,'eu.')) if i==0 else '')
    h+='</table><table width=100%%><tr><td style="%s" width=50%%>11. Certification<br>It is hereby certified, on the basis of control carried out, that the declaration by the exporter is correct.<br><br><br>%s, %s</td><td style="%s">12. Declaration by the exporter<br>The undersigned hereby declares that the above details and statements are correct; that all the goods were produced in <b>%s</b> and that they comply with the origin requirements specified for those goods in the Generalised System of Preferences for goods exported to <b>%s</b>.<br>%s, %s</td></tr></table>'%(B,s.pol[1],d.d('issue_date',s.inv_d+D.timedelta(1),'eu.'),B,s.pol[2].upper(),s.pod[2].upper(),s.pol[1],fdate(s.inv_d+D.timedelta(1),'eu.'))
    return d,page(h,css='body{font:9px Liberation Sans}',title='FORM A')
@lay('fi-forwarder','freight_invoice')
def _(s):
    d=Doc('freight_invoice','fi-forwarder'); i=s.eta-D.timedelta(s.eta.day-17 if s.eta.day>17 else 0); x=''; 
    L=[('Ocean freight %d x %s'%(len(s.con),s.tk),len(s.con)*s.r.randint(1500,3300)),('Bunker adjustment factor',len(s.con)*340),('Origin terminal handling',len(s.con)*155),('B/L fee',60),('Customs clearance',125),('Delivery, fuel surcharge incl.',len(s.con)*410)]
    for n,v in L: x+='<tr><td>%s</td><td class=r>%s</td></tr>'%(n,num(v))
    t=sum(v for _,v in L)
    h='<div style="font:11px Liberation Sans"><table width=100%%><tr><td><b style="font-size:16px;color:#803">%s</b><br>%s</td><td class=r style="font-size:20px">FREIGHT INVOICE</td></tr></table><table width=100%% style="margin-top:12px"><tr><td width=55%%><b>Bill to:</b><br>%s</td><td><table>'%(s.ntf[0],'<br>'.join(s.ntf[1]),'<br>'.join([s.imp[0]]+s.imp[1]))
    for a,b in [('Invoice no.',d.n('invoice_number','FI%06d'%s.r.randint(1e5,9e5))),('Invoice date',d.d('issue_date',i,'d-M-y')),('Due date',d.d('due_date',i+D.timedelta(21),'d-M-y')),('Our file','SI%05d'%s.r.randint(1e4,9e4)),('B/L number',d.n('bl_number',s.bl)),('Vessel/Voyage',s.ship+' / '+s.voy),('Route',s.pol[1]+' - '+s.pod[1])]: h+='<tr><td style="padding-right:12px">%s</td><td>%s</td></tr>'%(a,b)
    h+='</table></td></tr></table><table width=100%% border=1 cellpadding=4 style="margin-top:12px"><tr><th>Charge description</th><th class=r>Amount USD</th></tr>%s<tr><td><b>TOTAL AMOUNT DUE (USD)</b></td><td class=r><b>%s</b></td></tr></table><p>Containers: %s</p><p style="font-size:8px">Please remit to: First Harbor Bank, ABA 0260-0959-3, a/c 4471 0098. Late payment is subject to 1.5%% per month.</p></div>'%(x,d.mo('total',t,'USD'),', '.join(c['no'] for c in s.con))
    d.c('currency','USD','USD')
    return d,page(h,size='Letter',title='Invoice')
@lay('fi-carrier','freight_invoice')
def _(s):
    d=Doc('freight_invoice','fi-carrier'); i=s.ob+D.timedelta(1); L=[]; a=L.append; n=len(s.con)
    a('%-52s%s'%(html.unescape(s.linefull),'INVOICE')); a('%-52s%s'%('c/o '+html.unescape(s.fwd[0])[:40],'='*20)); a(''); a('%-52sINVOICE NO   %s'%('PAYER',d.n('invoice_number','%s%09d'%(s.pol[0][2:],s.r.randint(1e8,9e8))))); a('%-52sINVOICE DATE %s'%(html.unescape(s.exp[0])[:50],d.d('issue_date',i,'dMy'))); a('%-52sDUE DATE     %s'%(s.exp[1][0][:50],d.d('due_date',i+D.timedelta(14),'dMy'))); a('%-52sCURRENCY     %s'%(s.exp[1][1][:50],d.c('currency','USD','USD')))
    a(''); a('BILL OF LADING  %-24s VESSEL %s %s'%(d.n('bl_number',s.bl),s.ship,s.voy)); a('FROM %s TO %s   SAILED %s'%(s.pol[1].upper(),s.pod[1].upper(),fdate(s.ob,'dMy'))); a(''); a('%-34s%10s%8s%14s%14s'%('CHARGE','BASIS','QTY','RATE','AMOUNT')); a('-'*82); t=0
    for c,b,r in [('BASIC OCEAN FREIGHT',s.tk,s.r.randint(900,2600)),('BUNKER SURCHARGE',s.tk,412),('TERMINAL HANDLING ORIGIN',s.tk,144),('CARRIER SECURITY FEE',s.tk,15)]: t+=n*r; a('%-34s%10s%8d%14s%14s'%(c,b,n,num(r),num(n*r)))
    t+=55; a('%-34s%10s%8d%14s%14s'%('DOCUMENTATION FEE','BL',1,num(55),num(55))); a('-'*82); a('%-66s%14s'%('TOTAL PAYABLE',d.mo('total',t,'USD'))); a(''); a('VAT 0% - INTERNATIONAL TRANSPORT'); a('PLEASE QUOTE THE INVOICE NUMBER WITH YOUR PAYMENT')
    return d,page('<pre style="font:11px Courier">'+'\n'.join(html.escape(x) for x in L)+'</pre>',title='INV')
@lay('fi-demurrage','freight_invoice')
def _(s):
    d=Doc('freight_invoice','fi-demurrage'); i=s.lfd+D.timedelta(9); t=0; x=''
    i=i if i.day>12 else i.replace(day=i.day+12)
    for j,c in enumerate(s.con): y=3+j%4; t+=y*95; x+='<tr><td>%s<td>%s<td>%d<td>95.00<td class=r>%s</tr>'%(c['no'],fdate(s.lfd,'eu/'),y,num(y*95))
    h='<div style="font:10px DejaVu Sans"><h2 style="color:#036">%s<span style="float:right;font-size:13px">Demurrage &amp; Detention Invoice</span></h2><table cellpadding=4 style="background:#eef4fa" width=100%%><tr><th>Invoice number<th>Document date<th>Payment due<th>Currency<th>Bill of Lading</tr><tr><td>%s<td>%s<td>%s<td>%s<td>%s</tr></table><p>Invoice to<br>%s</p><table width=100%% cellpadding=4 border=1><tr><th>Container<th>Last free day<th>Days<th>Rate/day<th class=r>Amount</tr>%s</table><table align=right cellpadding=3 style="margin-top:8px"><tr><td>Subtotal<td class=r>%s</tr><tr><td>VAT (0%%)<td class=r>0.00</tr><tr><td><b>Total amount</b><td class=r><b>%s</b></tr></table></div>'%(s.linefull,d.n('invoice_number','53%08d'%s.r.randint(1e7,9e7)),d.d('issue_date',i,'eu/'),d.d('due_date',i+D.timedelta(15),'eu/'),d.c('currency','USD','USD'),d.n('bl_number',s.bl),'<br>'.join([s.imp[0]]+s.imp[1]),x,num(t),d.mo('total',t,'USD'))
    return d,page(h,title='D&amp;D')
@lay('ot-vgm','other')
def _(s):
    d=Doc('other','ot-vgm'); x=''.join('<tr><td>%s<td>%s<td>%s<td>2</tr>'%(c['no'],c['ty'],num(c['gw']+3900,0)) for c in s.con)
    return d,page('<h2>VERIFIED GROSS MASS (VGM) DECLARATION</h2><p>SOLAS Chapter VI, Regulation 2</p><table cellpadding=4 border=1 width=100%%><tr><td>Shipper<td>%s</tr><tr><td>Booking reference<td>%s</tr><tr><td>Vessel / voyage<td>%s / %s</tr><tr><td>Port of loading<td>%s</tr></table><br><table cellpadding=4 border=1 width=100%%><tr><th>Container no.<th>Type<th>Verified gross mass (kg)<th>Method</tr>%s</table><p>Weighing date: %s<br>Authorised person: L. FENG<br>Signature: ____________</p>'%(s.exp[0],s.bkg,s.ship,s.voy,s.pol[1],x,fdate(s.etd-D.timedelta(3),'iso')),title='VGM')
@lay('ot-si','other')
def _(s):
    d=Doc('other','ot-si'); 
    return d,page('<div style="font:11px Liberation Mono"><b>SHIPPING INSTRUCTION</b><br>TO: %s DOCUMENTATION DESK<br>BOOKING NO: %s<hr>PLEASE ISSUE B/L AS BELOW AND SEND DRAFT FOR APPROVAL<br><br>SHPR: %s<br>CNEE: %s<br>NTFY: %s<br><br>VSL/VOY: %s %s<br>POL: %s<br>POD: %s<br><br>%s<br><br>CARGO: %s<br>%d %s / %s KGS / %s CBM<br>FREIGHT PREPAID<br>SWITCH / TELEX RELEASE: TELEX RELEASE REQUIRED<br><br>VGM WILL BE SENT SEPARATELY. PLS CFM RECEIPT.</div>'%(s.line.upper(),s.bkg,', '.join([s.exp[0]]+s.exp[1]),', '.join([s.imp[0]]+s.imp[1]),s.ntf[0],s.ship,s.voy,s.pol[1].upper(),s.pod[1].upper(),'<br>'.join(c['no']+' / '+c['seal'] for c in s.con),s.lines[0]['desc'].upper(),s.pk,s.pkw,num(s.gw),num(s.vol)),title='SI')
@lay('ot-insurance','other')
def _(s):
    d=Doc('other','ot-insurance')
    return d,page('<div style="font:12px TeX Gyre Pagella,serif;border:1px solid #a83;padding:16px"><center><b style="font-size:17px">CERTIFICATE OF MARINE CARGO INSURANCE</b><br>Halcyon Mutual Marine Assurance</center><p>Certificate no. HM/OC/%d &nbsp; Open cover 7714-B</p><p>This is to certify that insurance has been effected for account of <b>%s</b></p><p>Sum insured: USD %s (invoice value plus 10%%)<br>Vessel: %s %s<br>Voyage: from %s to %s<br>Sailing on or about: %s<br>Interest: %s<br>Conditions: Institute Cargo Clauses (A) 1/1/09, Institute War Clauses (Cargo)</p><p>Claims, if any, payable at destination. Survey agent: Lloyd\'s Agency %s. Invoice ref. %s, B/L %s.</p><p class=r>For the underwriters</p></div>'%(s.r.randint(20000,99999),s.exp[0],num(s.total*1.1),s.ship,s.voy,s.pol[1],s.pod[1],fdate(s.ob,'d M y'),', '.join(l['desc'] for l in s.lines),s.pod[1],s.inv,s.bl),title='Insurance')
@lay('ot-quote','other')
def _(s):
    d=Doc('other','ot-quote')
    return d,page('<div style="font:11px Lato"><h2>%s</h2><p>Quotation Q-%d<br>Date %s, valid until %s</p><p>To: %s<br>Attn. Import department</p><p>Thank you for your enquiry. We are pleased to offer FCL rates from %s to %s:</p><table border=1 cellpadding=5><tr><th>Item<th>20GP<th>40HC</tr><tr><td>Ocean freight (USD)<td>1,150<td>1,890</tr><tr><td>BAF (USD)<td>180<td>360</tr><tr><td>THC destination<td>245<td>245</tr><tr><td>B/L fee<td colspan=2>60 per set</tr></table><p>Carrier %s, transit time about 31 days, free time 10 days combined. Rates subject to space and equipment, GRI and peak season surcharge. Payment 14 days.</p></div>'%(s.ntf[0],s.r.randint(1000,9999),fdate(s.issue,'d M y'),fdate(s.issue+D.timedelta(14),'d M y'),s.imp[0],s.pol[1],s.pod[1],s.line),title='Quote')
@lay('ot-phyto','other')
def _(s):
    d=Doc('other','ot-phyto'); 
    return d,page('<center><b>PHYTOSANITARY CERTIFICATE</b> No. PC/%d</center><table width=100%%><tr>%s</tr><tr>%s</tr><tr>%s</tr><tr>%s</tr><tr>%s</tr></table><p>This is to certify that the plants, plant products or other regulated articles described herein have been inspected and/or tested according to appropriate official procedures and are considered to be free from the quarantine pests specified by the importing contracting party.</p><p>Date %s &nbsp; Name of authorized officer: M. Duarte</p>'%(s.r.randint(100000,999999),k('1. Name and address of exporter',', '.join([s.exp[0]]+s.exp[1])),k('2. Declared name and address of consignee',', '.join([s.imp[0]]+s.imp[1])),k('3. Number and description of packages','%d %s - %s'%(s.pk,s.pkw,s.lines[0]['desc'])),k('4. Declared means of conveyance / point of entry',s.ship+' / '+s.pod[1]),k('5. Place of origin',s.pol[2]),fdate(s.issue,'dMy')),title='Phyto')
# ---- latex layouts
def tx(x): return html.unescape(re.sub(r'<br>',r'\\\\newline ',x)).replace('&',r'\&').replace('%',r'\%').replace('#',r'\#').replace('_',r'\_').replace('²','$^2$').replace('ß',r'\ss{}')
def latex(b,fam=''): return r'\documentclass[10pt,a4paper]{article}\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage[margin=18mm]{geometry}\usepackage{array,longtable}%s\pagestyle{empty}\parindent0pt\begin{document}%s\end{document}'%(fam,b)
def nl(s): return s.replace('\n',r'\newline ')
@lay('ci-latex','commercial_invoice')
def _(s):
    d=Doc('commercial_invoice','ci-latex'); d.c('currency',s.cur,s.cur); x=''
    for l in s.lines:
        r=d.row('lines'); x+=' & '.join([r.n('hs_code',l['hs']),tx(r.t('description',l['desc'])),r.q('quantity',l['qty'],'en')+' '+r.t('unit',l['unit'].lower()),r.mo('unit_price',l['price'],s.cur),r.mo('amount',l['amt'],s.cur)])+r'\\ '
    b=r'{\Large\textsc{%s}}\\%s\hrule\bigskip{\large Commercial Invoice}\bigskip\par\begin{tabular}{@{}p{85mm}p{75mm}@{}}\textit{Buyer}\newline %s & \begin{tabular}{ll}Invoice & %s\\Dated & %s\\Purchase order & %s\\Delivery & %s %s (Incoterms 2020)\\Payment & %s\end{tabular}\end{tabular}\par\bigskip\begin{tabular}{@{}lp{62mm}rrr@{}}\hline HS code & Goods & Quantity & Price %s & Value %s\\\hline %s\hline\multicolumn{4}{r}{Total %s} & %s\end{tabular}\par\bigskip Country of origin: %s. Shipped per %s under bill of lading %s.\par\vspace{2cm}Authorised signatory'%(tx(d.pa('seller',s.exp,'\n').split('\n')[0]),tx(', '.join(s.exp[1])),nl(tx(d.pa('buyer',s.imp,'\n'))),d.n('invoice_number',s.inv),d.d('issue_date',s.inv_d,'d M y'),d.n('po_number',s.po),d.c('incoterm','CFR','CFR'),s.pod[1],tx(d.t('payment_terms','Irrevocable L/C at sight')),s.cur,s.cur,x,s.cur,d.mo('total',s.total,s.cur),s.pol[2],s.ship,d.n('bl_number',s.bl))
    d.unj=['lines.origin']
    return d,latex(b)
@lay('hbl-latex','house_bill_of_lading')
def _(s):
    d=Doc('house_bill_of_lading','hbl-latex'); x=''
    for c in s.con:
        r=d.row('containers'); x+=' & '.join([r.n('number',cn(c['no'],1)),r.n('seal',c['seal']),r.c('size_type',c['ty'],TY[c['ty']][0]),r.q('packages',c['pk'],'plain'),r.m('gross_weight',c['gw'],1,'en',''),r.v('volume',c['vol'],2,'en','')])+r'\\ '
    b=r'\begin{center}{\Large\bfseries %s}\\ HOUSE BILL OF LADING --- No. %s\end{center}\textbf{Shipper:} %s\par\smallskip\textbf{Consignee:} %s\par\smallskip\textbf{Notify party:} %s\par\medskip\begin{tabular}{@{}llll@{}}\textbf{Ocean vessel} & %s & \textbf{Voyage} & %s\\\textbf{Port of loading} & %s & \textbf{Port of discharge} & %s\\\textbf{Place of receipt} & %s & \textbf{Place of delivery} & %s\\\textbf{Master B/L} & %s\end{tabular}\par\medskip\textbf{Goods:} %s\par\medskip\begin{tabular}{@{}lllrrr@{}}Container & Seal & Type & Packages & Gross kg & CBM\\\hline %s\end{tabular}\par\medskip Freight %s. Shipped on board %s. Number of originals: %s.\par Issued at %s on %s by %s as contracting carrier.'%(tx(s.fwd[0]),d.n('hbl_number',s.hbl),tx(d.pa('shipper',s.exp,', ')),tx(d.pa('consignee',s.imp,', ')),tx(d.pa('notify_party',s.ntf,', ')),d.t('vessel',s.ship),d.n('voyage',s.voy),d.pl('port_of_lading',s.pol),d.pl('port_of_discharge',s.pod),d.pl('place_of_receipt',s.pol),d.pl('place_of_delivery',s.pod),d.n('bl_number',s.bl),tx(d.pr('description','; '.join(l['desc'] for l in s.lines))),x,d.c('freight_terms','prepaid','prepaid'),d.d('on_board_date',s.ob,'d M y'),d.c('originals','3','three (3)'),d.pl('issue_place',s.pol),d.d('issue_date',s.ob,'d M y'),tx(s.fwd[0]))
    return d,latex(b,r'\usepackage{helvet}\renewcommand{\familydefault}{\sfdefault}')
@lay('pl-latex','packing_list')
def _(s):
    d=Doc('packing_list','pl-latex'); x=''
    for l in s.lines:
        r=d.row('lines'); x+=' & '.join([r.q('packages',l['pk'],'plain')+' '+l['pkw'].lower(),tx(r.t('description',l['desc'])),r.q('quantity',l['qty'],'plain')+' '+l['unit'].lower(),r.m('net_weight',l['nw'],1),r.m('gross_weight',l['gw'],1)])+r'\\ '
    b=r'{\LARGE Packing List}\hfill %s\par\medskip\hrule\medskip Packing list no.\ %s\quad Invoice no.\ %s\quad Order %s\quad Date %s\par\medskip Consignee: %s\par\bigskip\begin{tabular}{@{}lp{60mm}rrr@{}}Packages & Contents & Quantity & Net & Gross\\\hline %s\hline\end{tabular}\par\medskip Total packages: %s\par Total net weight: %s\par Total gross weight: %s\par Total volume: %s'%(tx(s.exp[0]),d.n('packing_list_number','PL%05d'%s.r.randint(1e4,9e4)),d.n('invoice_number',s.inv),d.n('po_number',s.po),d.d('issue_date',s.inv_d,'d-M-y'),tx(', '.join([s.imp[0]]+s.imp[1])),x,d.q('packages',s.pk,'plain'),d.m('net_weight',s.nw,1),d.m('gross_weight',s.gw,1),d.v('volume',s.vol,2,'en',' cbm'))
    return d,latex(b,r'\usepackage{mathpazo}')
@lay('an-latex-grid','arrival_notice')
def _(s):
    d=Doc('arrival_notice','an-latex-grid'); d.c('scac',s.scac,s.line); x=''
    for c in s.con:
        r=d.row('containers'); x+=r.n('number',c['no'])+' & '+r.c('size_type',c['ty'],TY[c['ty']][0])+' & '+r.q('packages',c['pk'],'plain')+' & '+r.m('gross_weight',c['gw'],0,'plain','')+r'\\ '
    b=r'{\large\bfseries %s}\hfill{\large PRE-ARRIVAL ADVICE}\par %s\par\bigskip\begin{tabular}{@{}ll@{}}Advice no. & %s\\Date & %s\\Receiver & %s\\ & %s\\Line & %s\\Bill of lading & %s\\Ship & %s\\Voyage & %s\\Loaded at & %s\\Discharging at & %s\\Berth & %s\\Expected & %s\end{tabular}\par\bigskip\begin{tabular}{@{}llrr@{}}Unit & Type & Colli & kg\\\hline %s\end{tabular}\par\bigskip Please send us your customs clearance instructions in good time.'%(tx(s.ntf[0]),tx(', '.join(s.ntf[1])),d.n('notice_number','PA%05d'%s.r.randint(1e4,9e4)),d.d('issue_date',s.notice,'iso'),tx(d.pa('consignee',s.imp,'\n').split('\n')[0]),tx(', '.join(s.imp[1])),s.line,d.n('bl_number',s.bl),d.t('vessel',s.ship),d.n('voyage',s.voy),d.pl('port_of_lading',s.pol,'nc'),d.pl('port_of_discharge',s.pod,'nc'),tx(d.t('terminal',s.term[0])),d.d('eta',s.eta,'iso'),x)
    return d,latex(b)
@lay('bc-letter','booking_confirmation')
def _(s):
    d=Doc('booking_confirmation','bc-letter'); d.c('scac',s.scac,s.line); r=d.row('equipment'); e=s.etd
    return d,page('<div style="font:12px/1.5 DejaVu Serif"><b>%s</b><br>%s<p>%s</p><p>Dear Sirs,<br><b>Your booking with %s &ndash; reference %s</b></p><p>We confirm space for %s x %s on m/v %s, voyage %s, loading at %s and discharging at %s. The vessel is due to sail on %s and to arrive on %s.</p><ul><li>Empty release from: %s</li><li>Documentation (SI) closing: %s</li><li>VGM closing: %s</li><li>Gate-in closing: %s</li></ul><p>Kindly quote the booking reference with all correspondence.</p><p>With kind regards<br>Export team</p></div>'%(s.fwd[0],'<br>'.join(s.fwd[1]),d.d('issue_date',s.bi,'d M y'),s.line,d.n('booking_number',s.bkg),r.q('quantity',len(s.con)),r.c('size_type',s.tk,TY[s.tk][2]),d.t('vessel',s.ship),d.n('voyage',s.voy),d.pl('port_of_lading',s.pol),d.pl('port_of_discharge',s.pod),d.d('etd',e,'d M y'),d.d('eta',s.eta,'d M y'),d.t('empty_pickup',s.pol[1]+' North Depot'),d.d('si_cutoff',e-D.timedelta(4),'d M y','11:00',', '),d.d('vgm_cutoff',e-D.timedelta(3),'d M y','15:00',', '),d.d('cy_cutoff',e-D.timedelta(2),'d M y','18:00',', ')),title='Confirmation')
@lay('do-letter','delivery_order')
def _(s):
    d=Doc('delivery_order','do-letter'); x=''
    for c in s.con:
        r=d.row('containers'); x+='%s &nbsp;&nbsp; %s &nbsp;&nbsp; seal %s<br>'%(r.n('number',c['no']),r.c('size_type',c['ty'],TY[c['ty']][4].lower()),r.n('seal',c['seal']))
    return d,page('<div style="font:12px/1.45 Liberation Serif;margin:10px 30px"><p>%s<br>%s</p><p>To: The Manager, %s</p><p class=r>%s</p><p><b><u>DELIVERY ORDER NO. %s</u></b></p><p>Please deliver to the order of <b>%s</b> the undermentioned containers ex m.v. %s voyage %s, arrived from %s, B/L no. %s, against surrender of this order and payment of your charges.</p><p>%s</p><p>This order is valid until %s. Empties are to be returned clean to %s.</p><p>For and on behalf of the carrier\'s agents<br><br>%s</p></div>'%(s.ntf[0],'<br>'.join(s.ntf[1]),d.t('terminal',s.term[0]),d.d('issue_date',s.eta,'d M y'),d.n('do_number','%d/26'%s.r.randint(1100,9800)),d.pa('deliver_to',s.imp,', '),d.t('vessel',s.ship),d.n('voyage',s.voy),s.pol[1],d.n('bl_number',s.bl),x,fdate(s.lfd,'d M y'),d.t('empty_return','Langer Park Container Depot'),s.ntf[0]),title='DO')

_old=LAY['do-letter'][1]
def _dl(s):
    d,h=_old(s); d.unj=['last_free_day']; return d,h
LAY['do-letter']=('delivery_order',_dl)
