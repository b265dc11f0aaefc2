from lib import *
def td(d): return dt.timedelta(d)
def lines(s,p,cur,k=None,lang=None,hs=True,origin=None,unit=True,d=2,po=False):
    """commercial lines; returns list of dict with raw values"""
    r=s.r; k=k or r.randint(2,5); out=[]; tot=0
    if lang and lang!='en': pool=[(a,h,u,r.choice([2.4,5.85,12.5,18.75,44.9])) for a,h,u in LG[lang]]; r.shuffle(pool); pool=pool[:k]
    else:
        pool=[(s.dsc[0]+' '+t,s.hs,s.unit,s.pr) for t in r.sample(['ART. 2140','ART. 2155','ART. 3308','ART. 4472','ART. 5120','ART. 6031','REF. AX-20','REF. AX-35','MODEL K7','MODEL K9 PLUS'],k)]
    for a,h,u,pr in pool:
        q=r.choice([r.randint(2,60)*10,r.randint(100,4800),r.randint(5,40)*100]); up=round(pr*r.uniform(.8,1.3),2); am=round(q*up,2); tot+=am
        row=dict(description=a,quantity=nz(q),unit_price=f'{cur} {nz(up,2)}',amount=f'{cur} {nz(am,2)}')
        if hs: row['hs_code']=re.sub(r'\D','',h)
        if unit: row['unit']=u
        if origin: row['origin']=origin
        p.row('lines',**row); out.append((a,h,q,u,up,am))
    tot=round(tot,2); p.f['currency']=cur; p.f['total']=f'{cur} {nz(tot,2)}'
    return out,tot
PT=['T/T 30 DAYS AFTER B/L DATE','L/C AT SIGHT','30% DEPOSIT, BALANCE AGAINST COPY OF B/L','NET 60 DAYS','D/P AT SIGHT','100% T/T IN ADVANCE']
@L('ci-asia','commercial_invoice',o=ASIA)
def _(s,p):
    l,t=lines(s,p,'USD')
    b=f'<div class=ce><b style="font-size:17px">{p.PA("seller",s.shipper).replace("<br>","</b><br>",1)}</div><h1 class=ce style="font-size:17px;text-decoration:underline">COMMERCIAL INVOICE</h1>'
    b+='<table><tr><td style="width:60%"><b>TO:</b> '+p.PA('buyer',s.cnee)+'</td><td>'+K([('INVOICE NO.',p.N('invoice_number',s.inv)),('DATE',p.D('issue_date',s.etd-td(5),'Mdy').upper()),('P/O NO.',p.N('po_number',s.po)),('PAYMENT',p.X('payment_terms',s.r.choice(PT)))])+f'</td></tr></table><p>FROM {PORTS[s.pol][0]} TO {PORTS[s.pod][0]} BY SEA</p>'
    inc=s.r.choice(['FOB','CIF','CFR']); p.f['incoterm']=inc
    b+=TB(['DESCRIPTION OF GOODS','H.S. CODE','QUANTITY','UNIT','UNIT PRICE','AMOUNT'],[[a,h,n(q,0),u,'USD'+n(up),'USD'+n(am)] for a,h,q,u,up,am in l],al='lcrcrr',foot=['TOTAL:','','','',f'{inc} {PORTS[s.pol if inc=="FOB" else s.pod][0]}','USD'+n(t)])
    return H(b+'<p>WE HEREBY CERTIFY THAT THE ABOVE MENTIONED GOODS ARE OF '+PORTS[s.pol][1]+' ORIGIN.</p><br><br><div class=r>'+s.shipper.name+'<br><br>____________________<br>AUTHORIZED SIGNATURE</div>',px=12,font=SERIF,m='15mm')
@L('ci-cn','commercial_invoice',o=['CNSHA','CNYTN'],d=EUR+USP)
def _(s,p):
    l,t=lines(s,p,'USD',3,'zh'); inc=p.CODE('incoterm','FOB')
    b=f'<div class=ce style="font-size:14px"><b>'+p.PA('seller',s.shipper)+'</b></div><h1 class=ce style="font-size:18px">商 业 发 票<br><span style="font-size:13px">COMMERCIAL INVOICE</span></h1>'+G([[('买方 Buyer',p.PA('buyer',s.cnee),1,3),('发票号码 Invoice No.',p.N('invoice_number',s.inv))],[('发票日期 Date',p.D('issue_date',s.etd-td(4),'cn'))],[('付款方式 Payment Terms',p.X('payment_terms',s.r.choice(PT)))],[('贸易术语 Incoterms',f'{inc} {PORTS[s.pol][0]}'),('币制 Currency','USD')]],w=[55,45])
    b+='<br>'+TB(['品名','商品编码','数量','单位','单价','金额'],[[a,h,n(q,0,'p'),u,n(up),n(am)] for a,h,q,u,up,am in l],al='llrcrr',foot=['合计','','','','',n(t)])+'<p class=r>（盖章）</p>'
    return H(b,px=13,font=CJK,m='15mm')
@L('ci-de','commercial_invoice',o=['DEHAM','DEBRV'],d=USP+['CNSHA','BRSSZ'])
def _(s,p):
    l,t=lines(s,p,'EUR',4,'de'); inc=p.CODE('incoterm',s.r.choice(['FCA','CIF','FOB'])); 
    b='<div style="font-size:9px;text-decoration:underline">'+s.shipper.name+' · '+s.shipper.addr.replace(', ',' · ')+'</div><br>'+p.PA('buyer',s.cnee)+'<div style="text-align:right;margin-top:-60px"><b style="font-size:14px">'+p.NM('seller',s.shipper)+'</b></div><br><br>'; p.PA('seller',s.shipper)
    b+=f'<h1 style="font-size:17px;margin-top:30px">Handelsrechnung Nr. {p.N("invoice_number",s.inv)}</h1>'+K([('Rechnungsdatum',p.D('issue_date',s.etd-td(6),'dmy.')),('Ihre Bestellung',p.N('po_number',s.po)),('Lieferbedingung',f'{inc} {PORTS[s.pol][0].title()} (Incoterms 2020)'),('Zahlungsbedingung',p.X('payment_terms',s.r.choice(['30 Tage netto','60 Tage netto','14 Tage 2 % Skonto, 30 Tage netto'])))])
    p.f['lines']=[dict(x,origin='DE') for x in p.f['lines']]
    b+='<br>'+TB(['Pos.','Bezeichnung','Warennummer','Ursprung','Menge','ME','Einzelpreis EUR','Gesamtpreis EUR'],[[i+1,a,h,'DE',n(q,0,'de'),u,n(up,2,'de'),n(am,2,'de')] for i,(a,h,q,u,up,am) in enumerate(l)],al='rlllrlrr',foot=['','','','','','','Gesamtbetrag',n(t,2,'de')])
    return H(b+'<p>Steuerfreie Ausfuhrlieferung gemäß § 4 Nr. 1a UStG in Verbindung mit § 6 UStG.</p><p class=small>Geschäftsführer: R. Kettler · Amtsgericht HRB 48213 · USt-IdNr. DE 300 482 11</p>',px=12,m='18mm')
@L('ci-fr','commercial_invoice',o=['FRLEH','FRFOS'],d=USP)
def _(s,p):
    l,t=lines(s,p,'EUR',3,'fr'); inc=p.CODE('incoterm',s.r.choice(['FCA','FOB','CPT']))
    b='<table><tr><td>'+p.PA('seller',s.shipper)+'</td><td class=r><b style="font-size:19px">FACTURE COMMERCIALE</b></td></tr></table><br><table><tr><td style="width:50%">'+K([('Facture n°',p.N('invoice_number',s.inv)),('Date',p.D('issue_date',s.etd-td(5),'fr')),('Commande n°',p.N('po_number',s.po)),('Incoterm',f'{inc} {PORTS[s.pol][0]}'),('Conditions de règlement',p.X('payment_terms',s.r.choice(['Virement à 30 jours','45 jours fin de mois','À réception de facture'])))],sep=' :')+'</td><td style="border:1px solid #000;padding:6px"><b>Acheteur :</b><br>'+p.PA('buyer',s.cnee)+'</td></tr></table><br>'
    b+=TB(['Désignation','Code SH','Quantité','Unité','Prix unitaire (EUR)','Montant (EUR)'],[[a,h,n(q,0,'fr'),u,n(up,2,'fr'),n(am,2,'fr')] for a,h,q,u,up,am in l],al='llrlrr',foot=['Total à payer','','','','',n(t,2,'fr')])
    return H(b+'<p>Exonération de TVA, article 262 I du Code général des impôts.</p><p>Fait pour valoir ce que de droit.</p>',px=12,font=SERIF,m='15mm')
@L('ci-it','commercial_invoice',o=['ITGOA','ITSPE'],d=USP)
def _(s,p):
    l,t=lines(s,p,'EUR',3,'it'); inc=p.CODE('incoterm',s.r.choice(['EXW','FCA','FOB']))
    b='<div style="border-bottom:2px solid #700"><b style="font-size:16px;color:#700">'+p.PA('seller',s.shipper).replace('<br>','</b><br>',1)+'</div><h1 style="font-size:16px">FATTURA COMMERCIALE</h1>'
    b+=G([[('Numero fattura',p.N('invoice_number',s.inv)),('Data',p.D('issue_date',s.etd-td(5),'it')),('Ordine n.',p.N('po_number',s.po))],[('Cliente',p.PA('buyer',s.cnee),2),('Pagamento',p.X('payment_terms',s.r.choice(['Bonifico bancario 30 gg','Bonifico anticipato','60 gg data fattura'])))],[('Resa',f'{inc} {PORTS[s.pol][0].title()}',2),('Valuta','EUR')]],w=[34,33,33])
    b+='<br>'+TB(['Descrizione','Cod. doganale','U.M.','Quantità','Prezzo','Importo'],[[a,h,u,n(q,0,'de'),n(up,2,'de'),n(am,2,'de')] for a,h,q,u,up,am in l],al='lllrrr',foot=['Totale fattura','','','','',n(t,2,'de')])
    return H(b+'<p>Operazione non imponibile IVA ai sensi dell\'art. 8, comma 1, lettera a) del D.P.R. 633/72.</p>',px=12,m='14mm')
@L('ci-es','commercial_invoice',o=['ESVLC','ESBCN'],d=USP+['MXVER'])
def _(s,p):
    l,t=lines(s,p,'EUR',3,'es'); inc=p.CODE('incoterm',s.r.choice(['FOB','CIF','FCA']))
    b='<table><tr><td style="width:50%"><b>EXPORTADOR</b><br>'+p.PA('seller',s.shipper)+'</td><td><b>COMPRADOR</b><br>'+p.PA('buyer',s.cnee)+'</td></tr></table><h1 class=ce style="font-size:17px">FACTURA COMERCIAL</h1>'+K2([[('N.º de factura',p.N('invoice_number',s.inv)),('Fecha',p.D('issue_date',s.etd-td(4),'es'))],[('Pedido',p.N('po_number',s.po)),('Condiciones de entrega',f'{inc} {PORTS[s.pol][0]}')],[('Forma de pago',p.X('payment_terms',s.r.choice(['Transferencia a 60 días','Carta de crédito a la vista','Pago anticipado']))),('Moneda','EUR')]])
    b+='<br>'+TB(['Cantidad','Ud.','Descripción','Partida arancelaria','Precio unitario','Importe'],[[n(q,0,'de'),u,a,h,n(up,2,'de'),n(am,2,'de')] for a,h,q,u,up,am in l],al='rlllrr',foot=['','','','','TOTAL',n(t,2,'de')+' EUR'])
    return H(b+'<p>Exportación exenta de IVA (art. 21 Ley 37/1992).</p>',px=12,font=DJ,m='14mm')
@L('ci-us','commercial_invoice',size='Letter',o=['USHOU','USLAX','USSAV'],d=EUR+['AUMEL'])
def _(s,p):
    l,t=lines(s,p,'USD',origin='US'); inc=p.CODE('incoterm',s.r.choice(['FCA','CIF','DAP']))
    b='<h1 style="font-size:18px">COMMERCIAL INVOICE</h1>'+G([[('SHIPPER / SELLER',p.PA('seller',s.shipper),2,2),('INVOICE NUMBER',p.N('invoice_number',s.inv)),('INVOICE DATE',p.D('issue_date',s.etd-td(3),'long'))],[('CUSTOMER PO',p.N('po_number',s.po)),('B/L NUMBER',p.N('bl_number',s.bl))],[('SOLD TO / CONSIGNEE',p.PA('buyer',s.cnee),2),('TERMS OF SALE',f'{inc} {PORTS[s.pod][0]}'),('TERMS OF PAYMENT',p.X('payment_terms',s.r.choice(['NET 30 DAYS','NET 45 DAYS','CASH IN ADVANCE'])))]],w=[25]*4)
    p.f['containers']=[{'number':c.no} for c in s.ctrs]
    b+=TB(['QTY','UNIT','DESCRIPTION','HTS / SCHEDULE B','COUNTRY OF ORIGIN','UNIT VALUE','TOTAL VALUE'],[[n(q,0),u,a,h,'US','$'+n(up),'$'+n(am)] for a,h,q,u,up,am in l],al='rllllrr',foot=['','','','','','TOTAL USD','$'+n(t)])+'<p>CONTAINER NUMBERS: '+', '.join(c.no for c in s.ctrs)+'</p><p class=small>These commodities, technology or software were exported from the United States in accordance with the Export Administration Regulations. Diversion contrary to U.S. law is prohibited.</p>'
    return H(b,px=11,size='Letter')
@L('ci-in','commercial_invoice',o=['INNSA','INMUN'],d=EUR+USP)
def _(s,p):
    l,t=lines(s,p,'USD',3); inc=p.CODE('incoterm',s.r.choice(['FOB','CIF']))
    b='<h1 class=ce style="font-size:14px">EXPORT INVOICE</h1><div class=ce class=small>SUPPLY MEANT FOR EXPORT UNDER LUT WITHOUT PAYMENT OF IGST</div>'+G([[('Exporter',p.PA('seller',s.shipper),2,3),('Invoice No.',p.N('invoice_number',s.inv)),('Date',p.D('issue_date',s.etd-td(6),'d-M-y'))],[("Buyer's Order No.",p.N('po_number',s.po)),('IEC No.',D_(s.r,10))],[('Other Reference(s)','GSTIN 27AAB'+L_(s.r,2)+D_(s.r,4)+'K1Z5',2)],[('Consignee / Buyer',p.PA('buyer',s.cnee),2,2),('Country of Origin of Goods','INDIA'),('Country of Final Destination',PORTS[s.pod][1])],[('Terms of Delivery and Payment',inc+' '+PORTS[s.pol if inc=="FOB" else s.pod][0],1),('Payment',p.X('payment_terms',s.r.choice(PT)))],[('Vessel/Flight No.',s.vsl),('Port of Loading',PORTS[s.pol][0]),('Port of Discharge',PORTS[s.pod][0]),('Final Destination',PORTS[s.dl][0])]],w=[25]*4)
    b+=TB(['Description of Goods','HSN','Quantity','Unit','Rate USD','Amount USD'],[[a,h,n(q,0,'p'),u,n(up),n(am)] for a,h,q,u,up,am in l],al='llrlrr',foot=['Amount Chargeable','','','','Total',n(t)])+'<br><div style="border:1px solid #222;padding:4px">Declaration: We declare that this invoice shows the actual price of the goods described and that all particulars are true and correct.<span style="float:right">Signature &amp; Date</span></div>'
    p.unj=[]; return H(b,px=11)
# ---------- packing lists
def pll(s,p,fl,tot=True,lang=None):
    r=s.r; k=r.randint(2,4); cut=[s.tp//k]*k; cut[-1]+=s.tp-sum(cut); out=[]; names=r.sample(['ART. 1120','ART. 1135','ART. 2208','ART. 2472','ART. 5120','ART. 6031'],k); gs=ns=vs=0
    for x,c in zip(names,cut):
        g=round(c*s.kg,1); w=round(g*.93,1); v=round(c*s.cb,2); q=c*s.pp; d=s.dsc[0]+' '+x; gs+=g; ns+=w; vs+=v
        row=dict(description=d)
        if 'q' in fl: row['quantity']=nz(q)
        if 'p' in fl: row['packages']=str(c)
        if 'n' in fl: row['net_weight']=nz(w)+' kg'
        if 'g' in fl: row['gross_weight']=nz(g)+' kg'
        if 'v' in fl: row['volume']=nz(v)+' m3'
        p.row('lines',**row); out.append((d,q,c,w,g,v))
    T=(s.tp,round(ns,1),round(gs,1),round(vs,2))
    p.f.update(packages=str(T[0]))
    if 'n' in fl: p.f['net_weight']=nz(T[1])+' kg'
    if 'g' in fl: p.f['gross_weight']=nz(T[2])+' kg'
    if 'v' in fl: p.f['volume']=nz(T[3])+' m3'
    return out,T
@L('pl-asia','packing_list',o=ASIA,n=(1,2))
def _(s,p):
    l,T=pll(s,p,'qpngv'); p.f['containers']=[{'number':c.no,'seal':c.seal} for c in s.ctrs]
    b=f'<div class=ce><b style="font-size:16px">{s.shipper.name}</b><br>{s.shipper.addr}</div><h1 class=ce style="font-size:17px;text-decoration:underline">PACKING LIST</h1><table><tr><td>TO: {s.cnee.name}<br>'+'<br>'.join(s.cnee.lines)+'</td><td>'+K([('INVOICE NO.',p.N('invoice_number',s.inv)),('DATE',p.D('issue_date',s.etd-td(4),'Mdy').upper()),('P/O NO.',p.N('po_number',s.po))])+'</td></tr></table><p>SHIPPING MARKS: '+p.DESC('marks',[s.cnee.name.split()[0],PORTS[s.pod][0],f'C/NO. 1-{s.tp}'],' / ').replace(' / ','<br>')+'</p>'
    p.f['marks']=' '.join([s.cnee.name.split()[0],PORTS[s.pod][0],f'C/NO. 1-{s.tp}'])
    b+=TB(['DESCRIPTION','QUANTITY<br>('+s.unit+')','PACKAGES<br>('+s.pk+')','N.W.(KGS)','G.W.(KGS)','MEAS.(CBM)'],[[d,n(q,0),c,n(w,1),n(g,1),n(v,2)] for d,q,c,w,g,v in l],al='lrrrrr',foot=['TOTAL','',T[0],n(T[1],1),n(T[2],1),n(T[3],2)])+'<p>'+'<br>'.join(f'CONTAINER NO.: {c.no} &nbsp; SEAL NO.: {c.seal}' for c in s.ctrs)+'</p>'
    return H(b,px=12,font=SERIF,m='15mm')
@L('pl-de','packing_list',o=['DEHAM','DEBRV'],d=USP)
def _(s,p):
    l,T=pll(s,p,'qpng')
    b=f'<b style="font-size:14px">{s.shipper.name}</b><br>{s.shipper.addr}<br><br><br>{s.cnee.name}<br>'+'<br>'.join(s.cnee.lines)+f'<h1 style="font-size:17px">Packliste Nr. {p.N("packing_list_number","PL"+D_(s.r,6))}</h1>'+K([('Datum',p.D('issue_date',s.etd-td(5),'de')),('Rechnung Nr.',p.N('invoice_number',s.inv)),('Bestellnummer',p.N('po_number',s.po)),('Markierung',p.DESC('marks',[s.cnee.name,'MADE IN GERMANY'],' '))])+'<br>'+TB(['Bezeichnung','Menge','Packstücke','Netto kg','Brutto kg'],[[d,n(q,0,'de'),c,n(w,1,'de'),n(g,1,'de')] for d,q,c,w,g,v in l],al='lrrrr',foot=['Summe','',T[0],n(T[1],1,'de'),n(T[2],1,'de')])
    return H(b,px=12,m='18mm')
@L('pl-fr','packing_list',o=['FRLEH','FRFOS'],d=USP)
def _(s,p):
    l,T=pll(s,p,'pngv')
    b=f'<table><tr><td><b>{s.shipper.name}</b><br>'+'<br>'.join(s.shipper.lines)+'</td><td class=r><b style="font-size:18px">LISTE DE COLISAGE</b><br>'+f'N° {p.N("packing_list_number","LC"+D_(s.r,5))}<br>Date : {p.D("issue_date",s.etd-td(5),"fr")}<br>Facture n° {p.N("invoice_number",s.inv)}</td></tr></table><p>Destinataire : {s.cnee.name}, {s.cnee.addr}</p>'+TB(['Désignation','Nombre de colis','Poids net (kg)','Poids brut (kg)','Volume (m3)'],[[d,c,n(w,1,'fr'),n(g,1,'fr'),n(v,2,'fr')] for d,q,c,w,g,v in l],al='lrrrr',foot=['TOTAL',T[0],n(T[1],1,'fr'),n(T[2],1,'fr'),n(T[3],2,'fr')])
    return H(b,px=12,font=DJS,m='14mm')
@L('pl-us','packing_list',size='Letter',o=['USHOU','USLAX'],d=EUR)
def _(s,p):
    l,T=pll(s,p,'qpg'); lb=lambda kg: round(kg*2.20462)
    for row,x in zip(p.f['lines'],l): row['gross_weight']=f'{lb(x[4])} lb'
    tg=sum(lb(x[4]) for x in l); p.f['gross_weight']=f'{tg} lb'
    b=f'<div style="background:#000;color:#fff;padding:5px;font-size:16px"><b>PACKING SLIP / EXPORT PACKING LIST</b></div><table><tr><td><b>SHIP FROM</b><br>{s.shipper.name}<br>'+'<br>'.join(s.shipper.lines)+f'</td><td><b>SHIP TO</b><br>{s.cnee.name}<br>'+'<br>'.join(s.cnee.lines)+'</td><td>'+K([('Packing List #',p.N('packing_list_number',D_(s.r,6))),('Invoice #',p.N('invoice_number',s.inv)),('Date',p.D('issue_date',s.etd-td(2),'Mdy')),('PO #',p.N('po_number',s.po))])+'</td></tr></table><br>'+TB(['ITEM DESCRIPTION','QTY SHIPPED','NO. OF PKGS','GROSS WT (LBS)'],[[d,n(q,0),c,n(lb(g),0)] for d,q,c,w,g,v in l],al='lrrr',foot=['TOTALS','',T[0],n(tg,0)])
    return H(b,px=11,size='Letter')
@L('pl-es','packing_list',o=['ESVLC','ESBCN','PECLL'],d=USP+EUR[:3])
def _(s,p):
    l,T=pll(s,p,'pngv'); p.f['containers']=[{'number':c.no,'seal':c.seal} for c in s.ctrs]
    b=f'<h1 class=ce style="font-size:18px">LISTA DE EMPAQUE</h1>'+G([[('Exportador',s.shipper.name+'<br>'+s.shipper.addr),('Factura N.º',p.N('invoice_number',s.inv))],[('Importador',s.cnee.name+'<br>'+s.cnee.addr),('Fecha',p.D('issue_date',s.etd-td(3),'es'))]],w=[65,35])+'<br>'+TB(['Descripción','Bultos','Peso neto (kg)','Peso bruto (kg)','Volumen (m3)'],[[d,c,n(w,1,'de'),n(g,1,'de'),n(v,2,'de')] for d,q,c,w,g,v in l],al='lrrrr',foot=['TOTALES',T[0],n(T[1],1,'de'),n(T[2],1,'de'),n(T[3],2,'de')])+'<br>'+TB(['Contenedor','Precinto'],[[c.no,c.seal] for c in s.ctrs])
    return H(b,px=12,m='14mm')
@L('pl-cn','packing_list',o=['CNSHA','CNYTN'],d=EUR)
def _(s,p):
    l,T=pll(s,p,'qpngv')
    b=f'<div class=ce><b>{s.shipper.name}</b><br>{s.shipper.addr}</div><h1 class=ce style="font-size:18px">装 箱 单<br><span style="font-size:13px">PACKING LIST</span></h1>'+K2([[('发票号 Invoice No.',p.N('invoice_number',s.inv)),('日期 Date',p.D('issue_date',s.etd-td(3),'cn'))],[('买方 Buyer',s.cnee.name),('订单号 P/O No.',p.N('po_number',s.po))]])+'<br>'+TB(['品名 Description','数量 Quantity','件数 Packages','净重 N.W. (KGS)','毛重 G.W. (KGS)','体积 (CBM)'],[[d,q,c,n(w,1),n(g,1),n(v,2)] for d,q,c,w,g,v in l],al='lrrrrr',foot=['合计 TOTAL','',T[0],n(T[1],1),n(T[2],1),n(T[3],2)])
    return H(b,px=12,font=CJK,m='14mm')
# ---------- customs
@L('cbp-7501','customs_entry',size='Letter',inl=True)
def _(s,p):
    f='mdy'
    b='<table><tr><td class=small>DEPARTMENT OF HOMELAND SECURITY<br>U.S. Customs and Border Protection</td><td class=ce><b style="font-size:15px">ENTRY SUMMARY</b></td><td class=r class=small>OMB APPROVAL NO. 1651-0022</td></tr></table>'
    en=L_(s.r,3)+'-'+D_(s.r,7)+'-'+D_(s.r,1)
    b+=G([[('1. Filer Code/Entry Number',p.N('entry_number',en)),('2. Entry Type','01 ABI/A'),('3. Summary Date',p.D(None,s.eta+td(10),f)),('4. Surety Number','0'+D_(s.r,2)),('5. Bond Type','8'),('6. Port Code',D_(s.r,4)),('7. Entry Date',p.D('entry_date',s.eta+td(1),f))],[('8. Importing Carrier',s.vsl,2),('9. Mode of Transport','11'),('10. Country of Origin',s.oc,2),('11. Import Date',p.D('import_date',s.eta,f),2)],[('12. B/L or AWB Number',p.N('bl_number',s.bl),2),('13. Manufacturer ID',s.oc+'HUA'+D_(s.r,4)+L_(s.r,3),2),('14. Exporting Country',s.oc),('15. Export Date',p.D(None,s.etd,f),2)],[('16. I.T. Number',''),('17. I.T. Date',''),('18. Missing Docs',''),('19. Foreign Port of Lading',D_(s.r,5),2),('20. U.S. Port of Unlading',D_(s.r,4),2)],[('21. Location of G.O. Number','',3),('22. Consignee Number',D_(s.r,2)+'-'+D_(s.r,7)+'00',2),('23. Importer Number',D_(s.r,2)+'-'+D_(s.r,7)+'00'),('24. Reference Number','')],[('25. Ultimate Consignee Name and Address','<br>'.join([s.notify.name]+s.notify.lines),4),('26. Importer of Record Name and Address',p.PA('importer',s.cnee),3)]])
    v=s.r.randint(12000,90000); du=round(v*.053,2); mpf=round(v*.003464,2); hmf=round(v*.00125,2)
    b+=TB(['27.<br>Line No.','28. Description of Merchandise<br>29. A. HTSUS No.','31. A. Gross Weight','32. Net Quantity in HTSUS Units','33. A. Entered Value','34. HTSUS Rate','35. Duty and IR Tax'],[['001',' '.join(s.dsc)+f'<br>{s.hs}.0000',n(s.tg,0)+' KG',str(s.tp)+' NO',n(v,0),'5.3%',n(du)],['','Merchandise Processing Fee 499','','','','.3464%',n(mpf)],['','Harbor Maintenance Fee 501','','','','.125%',n(hmf)],['<div style="height:190px"></div>','','','','','','']],al='llrrrrr')
    b+=G([[('Other Fee Summary (for Block 39)',f'499 $ {n(mpf)}<br>501 $ {n(hmf)}'),('35. Total Entered Value','$ '+n(v,0)),('37. Duty',n(du)),('40. Total','$ '+n(du+mpf+hmf))],[('41. Declaration of Importer of Record (Owner or Purchaser) or Authorized Agent','<span class=small>I declare that I am the importer of record and that the actual owner, purchaser, or consignee for CBP purposes is as shown above.</span>',2),('42. Broker/Filer Information',s.notify.name,2)]])
    return H(b,px=10,size='Letter')
@L('cbp-3461','customs_entry',size='Letter')
def _(s,p):
    f='mdy'; en=L_(s.r,3)+'-'+D_(s.r,7)+'-'+D_(s.r,1)
    b='<div class=ce>DEPARTMENT OF HOMELAND SECURITY<br>U.S. Customs and Border Protection<br><b style="font-size:15px">ENTRY/IMMEDIATE DELIVERY FOR ACE</b><br>19 CFR 142.3, 142.16, 142.22, 142.24</div>'+G([[('1. PORT OF ENTRY CODE',D_(s.r,4)),('2. FILER CODE / ENTRY NUMBER',p.N('entry_number',en)),('3. ENTRY TYPE','01')],[('4. ELECTED ENTRY DATE',p.D('entry_date',s.eta+td(1),f)),('5. ARRIVAL DATE',p.D('import_date',s.eta,f)),('6. BOND TYPE','8 CONTINUOUS')],[('7. IMPORTER OF RECORD NAME AND ADDRESS',p.PA('importer',s.cnee)),('8. IMPORTER NUMBER',D_(s.r,2)+'-'+D_(s.r,7)),('9. ULTIMATE CONSIGNEE','SAME AS IMPORTER OF RECORD')],[('10. CARRIER CODE',s.sc),('11. VOYAGE / VESSEL NAME',s.voy+' / '+s.vsl),('12. BILL OF LADING NUMBER',p.N('bl_number',s.bl))],[('13. LOCATION OF GOODS (FIRMS)',s.firms),('14. COUNTRY OF ORIGIN',s.oc),('15. QUANTITY',f'{s.tp} {s.pk}')],[('16. DESCRIPTION OF MERCHANDISE',' '.join(s.dsc),2),('17. HTSUS NUMBER',s.hs+'.0000')]],w=[34,33,33])+f'<br>I hereby make application for entry/immediate delivery. I certify that the above information is accurate, the bond is sufficient, valid, and current.<br><br><br>SIGNATURE OF APPLICANT ______________________ {s.notify.name}<div class=small>CBP Form 3461</div>'
    return H(b,px=11,size='Letter')
@L('zoll-de','customs_entry',d=['DEHAM','DEBRV'],o=ASIA)
def _(s,p):
    mrn='26DE'+D_(s.r,4)+L_(s.r,2)+D_(s.r,7)+'R'
    b='<table><tr><td><b>EUROPÄISCHE UNION</b></td><td class=r><b style="font-size:14px">ZOLLANMELDUNG ZUR ÜBERLASSUNG ZUM ZOLLRECHTLICH FREIEN VERKEHR</b></td></tr></table>'+G([[('Versender/Ausführer [2]','<br>'.join([s.shipper.name]+s.shipper.lines)),('MRN / Registriernummer',p.N('entry_number',mrn))],[('Einführer / Empfänger [8]',p.PA('importer',s.cnee)),('Datum der Annahme',p.D('entry_date',s.eta+td(3),'dmy.'))],[('Anmelder/Vertreter [14]','<br>'.join([s.dfwd.name]+s.dfwd.lines)),('Datum der Einfuhr',p.D('import_date',s.eta,'dmy.'))],[('Kennzeichen des Beförderungsmittels [18]',s.vsl),('Vorpapier: Konnossement Nr. [40]',p.N('bl_number',s.bl))],[('Packstücke und Warenbezeichnung [31]',f'{s.tp} {s.pk}<br>'+' '.join(s.dsc)),('Warennummer [33]',s.hs.replace('.','')+'00')],[('Rohmasse (kg) [35]',n(s.tg,1,'de')),('Ursprungsland [34]',s.oc)]],w=[58,42])+'<br>'+TB(['Abgabenart','Bemessungsgrundlage','Satz','Betrag EUR'],[['A00 Zoll','18.420,00','2,7 %','497,34'],['B00 EUSt','19.610,00','19 %','3.725,90']],al='lrrr')+'<p>Zollamt Hamburg-Waltershof</p>'
    return H(b,px=11)
@L('dua-es','customs_entry',d=['ESVLC','ESBCN'],o=ASIA)
def _(s,p):
    mrn='26ES00'+D_(s.r,6)+'R'+D_(s.r,5)
    b='<table><tr><td><b>AGENCIA TRIBUTARIA</b><br>Aduanas e Impuestos Especiales</td><td class=r><b style="font-size:15px">DOCUMENTO ÚNICO ADMINISTRATIVO (DUA)<br>IMPORTACIÓN</b></td></tr></table>'+G([[('1 Declaración','IM A'),('Número de DUA (MRN)',p.N('entry_number',mrn)),('Fecha de admisión',p.D('entry_date',s.eta+td(2),'dmy/'))],[('2 Expedidor/Exportador',s.shipper.name+'<br>'+s.shipper.addr,2),('Fecha de llegada',p.D('import_date',s.eta,'dmy/'))],[('8 Importador',p.PA('importer',s.cnee),2),('14 Representante',s.dfwd.name)],[('18 Medio de transporte a la llegada',s.vsl,1),('40 Documento precedente / Conocimiento de embarque',p.N('bl_number',s.bl),2)],[('31 Bultos y descripción',f'{s.tp} BULTOS<br>'+' '.join(s.dsc),2),('33 Código de las mercancías',s.hs.replace('.','')+'00')],[('35 Masa bruta (kg)',n(s.tg,1,'de')),('34 País de origen',s.oc),('46 Valor estadístico',n(s.r.randint(12000,80000),2,'de'))]],w=[34,33,33])+'<p>LEVANTE AUTORIZADO</p>'
    return H(b,px=11,font=DJ)
# ---------- certificates of origin
@L('co-chamber-us','certificate_of_origin',size='Letter',o=['USHOU','USNYC','USSAV'],d=EUR+['AEJEA','CLSAI'])
def _(s,p):
    b=f'<h1 class=ce style="font-size:18px">CERTIFICATE OF ORIGIN</h1>'+G([[('EXPORTER (Name and address including ZIP code)',p.PA('exporter',s.shipper)),('CERTIFICATE NO.',p.N('certificate_number',D_(s.r,7)))],[('CONSIGNED TO','<br>'.join([s.cnee.name]+s.cnee.lines)),('INVOICE NO.',p.N('invoice_number',s.inv))],[('EXPORTING CARRIER',s.car+' / '+s.vsl),('COUNTRY OF ORIGIN',p.X('country_of_origin','UNITED STATES OF AMERICA'))]],w=[60,40])+TB(['MARKS AND NUMBERS','NUMBER OF PACKAGES','DESCRIPTION OF GOODS','GROSS WEIGHT (KG)'],[['N/M',f'{s.tp} {s.pk}',' '.join(s.dsc),n(s.tg,1)]])+f'<p>The undersigned, {s.shipper.name}, (Owner or Agent), does hereby declare that the above described goods are the products of the United States of America.</p><p>Dated at {PORTS[s.pol][0].title()} on {p.D("issue_date",s.etd-td(2),"long")}</p><p>The Greater Harbor Chamber of Commerce, a recognized Chamber of Commerce, has examined the manufacturer\'s invoice or shipper\'s affidavit concerning the origin of the merchandise.</p><br><br><div class=r>Secretary ______________________</div>'
    return H(b,px=12,font=SERIF,size='Letter',m='15mm')
@L('co-ccpit','certificate_of_origin',o=['CNSHA','CNYTN','CNTAO'],d=EUR+['BRSSZ','MXZLO'])
def _(s,p):
    b='<div class=ce>ORIGINAL</div>'+G([[('1. Exporter',p.PA('exporter',s.shipper)),('Certificate No.',p.N('certificate_number','26C'+D_(s.r,4)+'A0'+D_(s.r,4)+'/0'+D_(s.r,4)))],[('2. Consignee','<br>'.join([s.cnee.name]+s.cnee.lines)),('','<div class=ce><b style="font-size:15px">CERTIFICATE OF ORIGIN<br>OF<br>'+p.X('country_of_origin',"THE PEOPLE'S REPUBLIC OF CHINA")+'</b></div>')],[('3. Means of transport and route',f'FROM {PORTS[s.pol][0]} TO {PORTS[s.pod][0]} BY SEA'),('5. For certifying authority use only','',1,2)],[('4. Country / region of destination',PORTS[s.pod][1])]],w=[50,50])
    b+=TB(['6. Marks and numbers','7. Number and kind of packages; description of goods','8. H.S. Code','9. Quantity','10. Number and date of invoices'],[['N/M<div style="height:240px"></div>',f'{s.tp} {s.pk} OF '+' '.join(s.dsc)+'<br>***',s.hs,n(s.tg,1)+' KGS G.W.',p.N('invoice_number',s.inv)+'<br>'+fd(s.etd-td(6),'Mdy').upper()]])
    b+=G([[('11. Declaration by the exporter','<span class=small>The undersigned hereby declares that the above details and statements are correct, that all the goods were produced in China and that they comply with the Rules of Origin of the People\'s Republic of China.</span><br><br>'+f'{PORTS[s.pol][0]}, CHINA {p.D("issue_date",s.etd-td(3),"Mdy").upper()}<br>Place and date, signature and stamp of authorized signatory'),('12. Certification','<span class=small>It is hereby certified that the declaration by the exporter is correct.</span><br><br>'+f'{PORTS[s.pol][0]}, CHINA {fd(s.etd-td(3),"Mdy").upper()}<br>Place and date, signature and stamp of certifying authority')]],w=[50,50])
    return H(b,px=11,font=SERIF)
@L('co-de','certificate_of_origin',o=['DEHAM','DEBRV'],d=USP+['CNSHA','AEJEA'])
def _(s,p):
    b=G([[('1 Absender – Consignor – Expéditeur',p.PA('exporter',s.shipper)),('',f'<b>{p.N("certificate_number","K "+D_(s.r,6))}</b> &nbsp; ORIGINAL<br><br><b>EUROPÄISCHE UNION – EUROPEAN UNION</b><br><b style="font-size:14px">URSPRUNGSZEUGNIS<br>CERTIFICATE OF ORIGIN</b>')],[('2 Empfänger – Consignee','<br>'.join([s.cnee.name]+s.cnee.lines)),('3 Ursprungsland – Country of origin',p.X('country_of_origin','Bundesrepublik Deutschland (Europäische Union)'))],[('4 Angaben über die Beförderung – Transport details','Seefracht / '+s.vsl),('5 Bemerkungen – Remarks','Rechnung Nr. '+p.N('invoice_number',s.inv))],[('6 Laufende Nummer; Zeichen, Nummern, Anzahl und Art der Packstücke; Warenbezeichnung',f'<div style="height:230px">1 &nbsp; {s.tp} {s.pk}<br>'+' '.join(s.dsc)+'</div>'),('7 Menge – Quantity',n(s.tg,1,'de')+' kg brutto')],[('8 Die unterzeichnende Stelle bescheinigt, daß die oben bezeichneten Waren ihren Ursprung in dem in Feld 3 genannten Land haben',f'<br>Industrie- und Handelskammer<br>Hamburg, {p.D("issue_date",s.etd-td(4),"dmy.")}<br>Ort und Datum der Ausstellung, Bezeichnung, Unterschrift und Stempel der zuständigen Stelle',2)]],w=[58,42])
    return H(b,px=12)
@L('co-usmca','certificate_of_origin',size='Letter',o=['MXZLO','MXVER'],d=['USHOU','USLAX','CAHAL'])
def _(s,p):
    b='<h1 class=ce style="font-size:15px">UNITED STATES-MEXICO-CANADA AGREEMENT (USMCA)<br>CERTIFICATION OF ORIGIN</h1>'+G([[('Certificate number',p.N('certificate_number','USMCA-'+D_(s.r,6))),('Blanket period','NOT APPLICABLE - SINGLE SHIPMENT')],[('1. Certifier','EXPORTER'),('2. Certifier details',s.shipper.name)],[('3. Exporter',p.PA('exporter',s.shipper)),('4. Producer','SAME AS EXPORTER')],[('5. Importer','<br>'.join([s.cnee.name]+s.cnee.lines)),('Invoice number',p.N('invoice_number',s.inv))]],w=[50,50])+TB(['6. Description of good(s)','HS tariff classification','7. Origin criterion','Country of origin'],[[' '.join(s.dsc),s.hs,'B',p.X('country_of_origin','MEXICO')]])+f'<p>I certify that the goods described in this document qualify as originating and the information contained in this document is true and accurate. I assume responsibility for proving such representations and agree to maintain and present upon request documentation necessary to support this certification.</p><p>Date: {p.D("issue_date",s.etd-td(2),"dMy")}</p><br>Signature ____________________'
    return H(b,px=11,size='Letter',m='14mm')
@L('co-formA','certificate_of_origin',o=['VNSGN','VNHPH','IDJKT','INNSA'],d=EUR)
def _(s,p):
    cn={'VN':'VIETNAM','ID':'INDONESIA','IN':'INDIA'}[s.oc]
    b=G([[("1. Goods consigned from (Exporter's business name, address, country)",p.PA('exporter',s.shipper)),('Reference No.',p.N('certificate_number',s.oc+'-'+D_(s.r,4)+'/'+D_(s.r,5))+'<br><div class=ce><b>GENERALISED SYSTEM OF PREFERENCES<br>CERTIFICATE OF ORIGIN</b><br>(Combined declaration and certificate)<br><b>FORM A</b><br>Issued in '+p.X('country_of_origin',cn)+'<br>(country)</div>')],[("2. Goods consigned to (Consignee's name, address, country)",'<br>'.join([s.cnee.name]+s.cnee.lines)),('4. For official use','')],[('3. Means of transport and route (as far as known)',f'BY SEA FROM {PORTS[s.pol][0]} TO {PORTS[s.pod][0]}<br>{s.vsl}',2)]],w=[50,50])+TB(['5. Item number','6. Marks and numbers of packages','7. Number and kind of packages; description of goods','8. Origin criterion','9. Gross weight or other quantity','10. Number and date of invoices'],[['1','N/M<div style="height:220px"></div>',f'{s.tp} {s.pk} '+' '.join(s.dsc),'"W" '+s.hs[:5],n(s.tg,1)+' KGS',p.N('invoice_number',s.inv)+'<br>'+fd(s.etd-td(6),'dMy')]])+G([[('11. Certification',f'It is hereby certified, on the basis of control carried out, that the declaration by the exporter is correct.<br><br><br>{PORTS[s.pol][0]}, {p.D("issue_date",s.etd-td(2),"dMy")}<br><span class=small>Place and date, signature and stamp of certifying authority</span>'),('12. Declaration by the exporter',f'The undersigned hereby declares that the above details and statements are correct; that all the goods were produced in {cn}.<br><br>{PORTS[s.pol][0]}, {fd(s.etd-td(2),"dMy")}<br><span class=small>Place and date, signature of authorized signatory</span>')]],w=[50,50])
    return H(b,px=11,font=SERIF)
# ---------- freight invoices
from l2 import charges
def fi(s,p,cur,st='en',names=None,k=5,pr=''):
    q=P('arrival_notice','x'); R,t=charges(s,q,cur,st,names,k,pr) if names else charges(s,q,cur,st,k=k,pr=pr)
    from decimal import Decimal
    v=sum(Decimal(x['amount'].split()[1]) for x in q.f['charges']); p.f['currency']=cur; p.f['total']=f'{cur} {nz(float(v),2)}'; return R,t
@L('fi-us','freight_invoice',size='Letter',inl=True)
def _(s,p):
    R,t=fi(s,p,'USD')
    b=f'<table><tr><td><b style="font-size:16px">{s.dfwd.name}</b><br>'+'<br>'.join(s.dfwd.lines)+'</td><td class=r><b style="font-size:20px">FREIGHT INVOICE</b><br>'+K([('INVOICE #',p.N('invoice_number','SI'+D_(s.r,7))),('INVOICE DATE',p.D('issue_date',s.eta,'mdy')),('DUE DATE',p.D('due_date',s.eta+td(30),'mdy')),('FILE #',D_(s.r,7))])+'</td></tr></table>'+G([[('BILL TO','<br>'.join([s.cnee.name]+s.cnee.lines)),('MASTER B/L',p.N('bl_number',s.bl)),('HOUSE B/L',s.hbl)],[('VESSEL / VOYAGE',s.vsl+' / '+s.voy),('POL / ETD',PORTS[s.pol][0]),('POD / ETA',PORTS[s.pod][0])],[('CONTAINER(S)',', '.join(c.no for c in s.ctrs),3)]],w=[40,30,30])+'<br>'+TB(['DESCRIPTION','AMOUNT (USD)'],R,al='lr',foot=['TOTAL AMOUNT DUE (USD)',t])+'<p class=small>Please remit payment by the due date. A late charge of 1.5% per month applies to past due balances. NVOCC bond on file with the Federal Maritime Commission.</p>'
    return H(b,px=11,size='Letter')
@L('fi-de','freight_invoice',d=['DEHAM'],o=ASIA)
def _(s,p):
    R,t=fi(s,p,'EUR','de',['Seefracht','THC Hamburg','ISPS-Zuschlag','Zollabfertigung','Vorlageprovision','LKW-Zustellung','Dokumentationsgebühr'])
    b=f'<div class=r><b style="font-size:17px">{s.dfwd.name}</b><br>{s.dfwd.addr}</div><br>{s.cnee.name}<br>'+'<br>'.join(s.cnee.lines)+f'<h1 style="font-size:17px">Speditionsrechnung</h1>'+K2([[('Rechnungs-Nr.',p.N('invoice_number','RE26'+D_(s.r,5))),('Rechnungsdatum',p.D('issue_date',s.eta+td(2),'dmy.'))],[('Fällig am',p.D('due_date',s.eta+td(16),'dmy.')),('B/L-Nr.',p.N('bl_number',s.bl))]])+f'<p>Import per Seeschiff {s.vsl}, {PORTS[s.pol][0]} – {PORTS[s.pod][0]}, Container {", ".join(c.no for c in s.ctrs)}</p>'+TB(['Leistung','Betrag EUR'],R,al='lr',foot=['Rechnungsbetrag (umsatzsteuerfrei gem. § 4 Nr. 3 UStG)',t])+'<p class=small>Wir arbeiten ausschließlich auf Grundlage der ADSp 2017. Zahlbar ohne Abzug.</p>'
    return H(b,px=12,m='18mm')
@L('fi-carrier-dd','freight_invoice',d=USP+EUR,car='HLCU')
def _(s,p):
    R,t=fi(s,p,'USD','en',['DEMURRAGE 4 DAYS','DETENTION 6 DAYS','PLUG-IN CHARGE','ADMIN FEE','TERMINAL STORAGE'],3)
    b='<b style="font-size:18px;color:#d35400">Hapag-Lloyd</b><h1 style="font-size:16px">INVOICE — Demurrage / Detention</h1>'+K2([[('Invoice No.',p.N('invoice_number',D_(s.r,10))),('Invoice Date',p.D('issue_date',s.eta+td(14),'d-M-y'))],[('Due Date',p.D('due_date',s.eta+td(29),'d-M-y')),('B/L No.',p.N('bl_number',s.bl))],[('Customer',s.cnee.name),('Vessel/Voyage',s.vsl+' '+s.voy)],[('Currency','USD'),('Container',s.ctrs[0].no)]])+'<br>'+TB(['Charge','Amount USD'],R,al='lr',foot=['Total due',t])+'<p class=small>Free time and rates per Hapag-Lloyd tariff. Disputes must be submitted within 30 days of the invoice date.</p>'
    return H(b,px=12)
@L('fi-fr','freight_invoice',d=['FRLEH','FRFOS'],o=ASIA)
def _(s,p):
    R,t=fi(s,p,'EUR','fr',['Fret maritime','THC destination','Frais de dossier','Dédouanement import','Camionnage','Taxe ISPS'])
    b=f'<table><tr><td><b style="font-size:15px">{s.dfwd.name}</b><br>'+'<br>'.join(s.dfwd.lines)+'</td><td style="border:1px solid;padding:6px">'+s.cnee.name+'<br>'+'<br>'.join(s.cnee.lines)+'</td></tr></table><h1 style="font-size:16px">FACTURE DE TRANSIT</h1>'+K([('Facture n°',p.N('invoice_number','F26'+D_(s.r,5))),('Date de facture',p.D('issue_date',s.eta+td(2),'fr')),('Échéance',p.D('due_date',s.eta+td(32),'fr')),('Connaissement n°',p.N('bl_number',s.bl)),('Navire',s.vsl)],sep=' :')+'<br>'+TB(['Libellé','Montant EUR'],R,al='lr',foot=['NET À PAYER',t])
    return H(b,px=12,font=SERIF,m='15mm')
@L('fi-es','freight_invoice',d=['ESVLC','ESBCN'],o=ASIA)
def _(s,p):
    R,t=fi(s,p,'EUR','de',['FLETE MARÍTIMO','THC DESTINO','DESPACHO DE ADUANA','TRANSPORTE TERRESTRE','GASTOS DE GESTIÓN','ISPS'])
    b=f'<b style="font-size:16px">{s.dfwd.name}</b><br>{s.dfwd.addr}<h1 class=r style="font-size:18px">FACTURA</h1>'+G([[('Cliente','<br>'.join([s.cnee.name]+s.cnee.lines),1,3),('Factura N.º',p.N('invoice_number','FV26/'+D_(s.r,5)))],[('Fecha de factura',p.D('issue_date',s.eta+td(2),'dmy/'))],[('Vencimiento',p.D('due_date',s.eta+td(32),'dmy/'))],[('Servicio','IMPORTACIÓN MARÍTIMA FCL / '+s.vsl),('B/L',p.N('bl_number',s.bl))]],w=[60,40])+'<br>'+TB(['Concepto','Importe EUR'],R,al='lr',foot=['TOTAL FACTURA',t])
    return H(b,px=12)
@L('fi-dray','freight_invoice',size='Letter')
def _(s,p):
    R,t=fi(s,p,'USD','en',['LINE HAUL','FUEL SURCHARGE','CHASSIS 3 DAYS','PRE-PULL','WAITING TIME 2 HRS','TOLL'],4,'$'); tr=company(s.r,'US','DRAYAGE')
    b=f'<div class=ce><b style="font-size:17px">{tr.name}</b><br>{tr.addr}<br>MC# {D_(s.r,6)} &nbsp; DOT# {D_(s.r,7)}</div><h1 style="font-size:16px">TRUCKING INVOICE</h1>'+K2([[('Invoice No',p.N('invoice_number',D_(s.r,6))),('Bill To',s.dfwd.name)],[('Date',p.D('issue_date',s.eta+td(6),'Mdy')),('Pickup',s.term)],[('Payment Due',p.D('due_date',s.eta+td(21),'Mdy')),('Deliver',s.cnee.name)],[('SSL B/L',p.N('bl_number',s.bl)),('Container',s.ctrs[0].no)]])+'<br>'+TB(['Charge','Amount'],R,al='lr',foot=['TOTAL USD',t])
    return H(b,px=12,size='Letter',font=DJ)
# ---------- other
@L('ot-quote','other',o=EUR)
def _(s,p):
    return H(f'<b style="font-size:16px">{s.ofwd.name}</b><h1 style="font-size:17px">Ocean Freight Quotation Q-{D_(s.r,6)}</h1><p>Date: {fd(s.etd,"long")}<br>Valid until: {fd(s.etd+td(30),"long")}</p><p>To: {s.shipper.name}</p><p>We thank you for your inquiry and are pleased to quote as follows:</p>'+TB(['Origin','Destination','Equipment','Ocean freight','Transit time'],[[PORTS[s.pol][0],PORTS[x][0],"40'HC",'USD '+n(s.r.randint(1200,4800),2),f'{s.r.randint(18,36)} days'] for x in ('USNYC','USSAV','USHOU')])+'<p>Rates are subject to BAF, GRI and PSS as per carrier tariff at time of shipment. Space and equipment are not guaranteed.</p>',px=12,m='15mm')
@L('ot-vgm','other')
def _(s,p):
    return H('<h1 style="font-size:17px" class=ce>VERIFIED GROSS MASS (VGM) DECLARATION</h1><p>In accordance with SOLAS Chapter VI Regulation 2</p>'+K([('Shipper',s.shipper.name),('Booking number',s.bk),('Vessel / voyage',s.vsl+' / '+s.voy),('Weighing method','Method 1 - weighing of the packed container')])+'<br>'+TB(['Container No.','Seal No.','Tare (kg)','Verified gross mass (kg)'],[[c.no,c.seal,'3,900',n(c.gw+3900,0)] for c in s.ctrs])+f'<p>Weighed on {fd(s.etd-td(3),"dMy")}. Authorised person: K. Lindqvist</p>',px=12,m='15mm')
@L('ot-dg','other',o=EUR)
def _(s,p):
    return H('<h1 style="font-size:16px" class=ce>MULTIMODAL DANGEROUS GOODS FORM</h1>'+G([[('1 Shipper/Consignor/Sender','<br>'.join([s.shipper.name]+s.shipper.lines)),('2 Transport document number',s.bk)],[('6 Consignee','<br>'.join([s.cnee.name]+s.cnee.lines)),('7 Carrier',s.car)],[('8 This shipment is within the limitations prescribed for','CARGO AIRCRAFT NOT APPLICABLE'),('9 Additional handling information','EMERGENCY CONTACT 24H')],[('10 Vessel and date',s.vsl+' '+fd(s.etd,'dMy')),('11 Port/place of loading',PORTS[s.pol][0])],[('14 Shipping marks; number and kind of packages; description of goods','UN 1263, PAINT, CLASS 3, PG III, F.P. 34 C, EmS F-E, S-E<br>80 STEEL DRUMS',2)],[('15 Container identification No.',s.ctrs[0].no),('16 Seal number(s)',s.ctrs[0].seal)],[('CONTAINER/VEHICLE PACKING CERTIFICATE','I hereby declare that the goods described above have been packed/loaded into the container identified above in accordance with the applicable provisions.',2)]],w=[50,50]),px=11)
@L('ot-ins','other')
def _(s,p):
    return H(f'<h1 class=ce style="font-size:18px">CERTIFICATE OF MARINE CARGO INSURANCE</h1><p class=ce>HARROWGATE MARINE UNDERWRITERS LTD</p>'+K([('Certificate No.','MC'+D_(s.r,7)),('Assured',s.shipper.name),('Sum insured','USD '+n(s.r.randint(20000,200000),2)),('Vessel',s.vsl),('Voyage from',PORTS[s.pol][0]),('To',PORTS[s.pod][0]),('Interest',' '.join(s.dsc)),('Conditions','Institute Cargo Clauses (A) 1/1/09, Institute War Clauses (Cargo), Institute Strikes Clauses (Cargo)')])+'<p>Claims, if any, payable at destination by the settling agents named overleaf. In the event of loss or damage immediate notice must be given to the survey agent.</p>',px=12,font=SERIF,m='18mm')
@L('ot-po','other',size='Letter')
def _(s,p):
    return H(f'<table><tr><td><b style="font-size:16px">{s.cnee.name}</b><br>{s.cnee.addr}</td><td class=r><b style="font-size:20px">PURCHASE ORDER</b><br>PO No. {s.po}<br>{fd(s.etd-td(60),"long")}</td></tr></table><p>Vendor: {s.shipper.name}, {s.shipper.addr}</p>'+TB(['Item','Description','Qty','Unit cost','Extended'],[[i+1,s.dsc[0]+f' SKU {D_(s.r,5)}',q,n(s.pr),n(s.pr*q)] for i,q in enumerate((400,850,1200))],al='rlrrr')+f'<p>Requested ship date: {fd(s.etd,"long")}. Acceptance of this order constitutes agreement to the terms and conditions of purchase of the buyer.</p>',px=12,size='Letter')
