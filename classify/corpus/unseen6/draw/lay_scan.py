from reg import *
H={'n':'number','s':'seal','z':'size_type','k':'packages','w':'gross_weight','v':'volume'}
def CT(d,s,cols,heads,zi=2,wd=2,wu='',vu='',ku='',cls='ct',border=0,wunit='kg'):
    f={'n':lambda x:d.num('number',x['no']),'s':lambda x:d.num('seal',x['seal']),'z':lambda x:d.size('size_type',x['sz'],zi),'k':lambda x:d.qty('packages',x['k'],ku),'w':lambda x:d.mass('gross_weight',x['w'],wd if wunit=='kg' else None,wu,wunit),'v':lambda x:d.vol('volume',x['v'],3,vu)}
    return f'<table class={cls} border={border} cellpadding=4><tr>'+''.join('<th>'+h for h in heads.split('|'))+'</tr>'+d.rows('containers',s.con,lambda x:'<tr>'+''.join('<td>'+f[c](x) for c in cols)+'</tr>')+'</table>'
def KV(*p,sep=''): return '<table class=kv>'+''.join(f'<tr><td class=k>{a}{sep}<td>{b}</tr>' for a,b in zip(p[::2],p[1::2]))+'</table>'
def BX(*p,n=2): return '<div class=bx style="grid-template-columns:repeat(%d,1fr)">'%n+''.join(f'<div><i>{a}</i>{b}</div>' for a,b in zip(p[::2],p[1::2]))+'</div>'
CS="i{display:block;font-style:normal;font-size:8.5px}.bx{display:grid}.bx>div{border:1px solid #000;margin:0 -1px -1px 0;padding:4px;min-height:36px}.kv td{padding:3px 8px 3px 0}.k{font-weight:bold;white-space:nowrap}table{width:100%}.ct{margin:8px 0}.ct th{border-bottom:1px solid #000}"
def pg(font,size,css,body,fmt='A4',m='16mm'): return page("body{font:%spx %s}"%(size,font)+CS+css,body,fmt,m)
def sc(mode,*jobs,group='b',prod='chromium',**k): return lay(prod,*jobs,group=group,mode=mode,**k)
def eqs(d,s,zi=1,j='; '): return d.rows('equipment',sorted({x['sz'] for x in s.con}),lambda z:d.qty('quantity',sum(x['sz']==z for x in s.con))+' x '+d.size('size_type',z,zi),j)
def dsc(d,s): return d.prose('description',[d.gn(g) for g in s.goods])
def ft(d,s,p='Freight '): return p+d.code('freight_terms',s.terms,s.terms)

@sc('grey',J('CN','US','HMM'))
def b_bl1(s):
    d=D('bill_of_lading','sc-bl-hmm',df='MMM. dd, y'); d.put('scac','HDMU')
    return d,pg('Liberation Sans',11,'.hd{font-size:30px;font-weight:bold}',f'''<div class=hd>HMM <span style="font-size:14px;float:right">MULTIMODAL TRANSPORT BILL OF LADING</span></div>'''+BX('Shipper/Exporter',d.pa('shipper',s.shp,up=True),'B/L No.',d.num('bl_number',s.bl)+'<br><i>Booking No.</i>'+d.num('booking_number',s.bk),'Consignee',d.pa('consignee',s.cne,up=True),'Forwarding Agent',s.fo[0].upper(),'Notify Party',d.pa('notify_party',s.ntf,up=True),'Point and Country of Origin',PORTS[s.o][2].upper())+BX('Place of Receipt',d.pl('place_of_receipt',s.por,'NC'),'Port of Loading',d.pl('port_of_lading',s.pol,'NC'),'Vessel',d.txt('vessel',s.ves),'Port of Discharge',d.pl('port_of_discharge',s.pod,'NC'),'Place of Delivery',d.pl('place_of_delivery',s.dlv,'NC'),'Voyage No.',d.num('voyage',s.voy),n=3)+CT(d,s,'nszkwv','Container No.|Seal No.|Type|Packages|Gross Weight (KGS)|Measurement (CBM)')+'<p>DESCRIPTION OF GOODS:<br>'+d.prose('description',[g['en'].upper() for g in s.goods])+f'''<br><br>{ft(d,s,'FREIGHT ').upper()}</p><div style="height:120px"></div>'''+BX('No. of Originals',d.qty('originals',3,show='THREE(3)'),'Date of Issue',d.date('issue_date',s.etd),'Place of Issue',d.pl('issue_place',s.pol,'N'),'On Board Date',d.date('on_board_date',s.etd),n=4))

@sc('bw',J('VN','US'))
def b_hbl(s):
    d=D('house_bill_of_lading','sc-hbl-dotted',df='d-MMM-y'); d.put('scac',s.car['scac'])
    return d,pg('Courier Prime',12,'.kv td{border-bottom:1px dotted #000}',f"<center><b>{d.e(s.fo[0])}</b><br>{d.e(', '.join(s.fo[1]))}<br><br><b>BILL OF LADING</b></center>"+KV('HBL NO.',d.num('hbl_number',s.hbl),'MASTER BL',d.num('bl_number',s.bl)+' / '+d.e(s.car['ag']),'SHIPPER',d.pa('shipper',s.shp,up=True),'CONSIGNEE',d.pa('consignee',s.cne,up=True),'NOTIFY PARTY',d.pa('notify_party',s.ntf,up=True),'OCEAN VESSEL',d.txt('vessel',s.ves),'VOYAGE',d.num('voyage',s.voy),'PORT OF LOADING',d.pl('port_of_lading',s.pol,'N'),'PORT OF DISCHARGE',d.pl('port_of_discharge',s.pod,'N'),'FINAL DESTINATION',d.pl('place_of_delivery',s.dlv,'N'),'GOODS',d.prose('description',[g['en'].upper() for g in s.goods]),'FREIGHT',d.code('freight_terms',s.terms,s.terms.upper()),'ORIGINALS',d.qty('originals',3,show='3'),'ISSUED',d.pl('issue_place',s.pol,'N')+' '+d.date('issue_date',s.etd))+CT(d,s,'nszkw','CONTAINER|SEAL|SIZE|PKGS|KGS',0))

@sc('jpg',J('IN','GB','MAERSK'))
def b_swb(s):
    d=D('sea_waybill','sc-swb-grid',df='dd MMM y'); d.put('scac','MAEU')
    return d,pg('Lato',11,'.bx>div{border-color:#777}',f"<b style='font-size:18px'>MAERSK</b> &nbsp; SEA WAYBILL <span style='float:right'>WB No. {d.num('bl_number',s.bl)}</span>"+BX('Consignor',d.pa('shipper',s.shp),'Consignee',d.pa('consignee',s.cne),'Notify address',d.pa('notify_party',s.ntf),n=3)+BX('Vessel',d.txt('vessel',s.ves),'Voyage',d.num('voyage',s.voy),'From port',d.pl('port_of_lading',s.pol,'nc'),'To port',d.pl('port_of_discharge',s.pod,'nc'),n=4)+'<p>'+dsc(d,s)+'</p>'+CT(d,s,'nzskwv','Container|Size|Seal|Pkgs|Weight|Volume',5,1,' kg',' m³')+f"<p>{ft(d,s)}. Shipped on board {d.date('on_board_date',s.etd)}. Issued at {d.pl('issue_place',s.pol)} {d.date('issue_date',s.etd+dt.timedelta(1))}.</p>")

@sc('grey',J('CN','US','WANHAI',inland=True))
def b_an(s):
    d=D('arrival_notice','sc-an-fax',df='mm/dd/y'); d.cury='USD'; d.put('scac','WHLC')
    return d,pg('Liberation Mono',11.5,'',f"<pre style='font:inherit'>FAX / ARRIVAL ADVICE                      DATE: {d.date('issue_date',s.eta-dt.timedelta(4))}</pre><p>WAN HAI LINES (USA)</p><p>CONSIGNEE:<br>{d.pa('consignee',s.cne,up=True)}</p><p>NOTIFY:<br>{d.pa('notify_party',s.ntf,up=True)}</p>"+KV('B/L NUMBER',d.num('bl_number',s.bl),'VESSEL',d.txt('vessel',s.ves),'VOYAGE',d.num('voyage',s.voy),'LOAD PORT',d.pl('port_of_lading',s.pol,'N'),'DISCHARGE PORT',d.pl('port_of_discharge',s.pod,'N'),'DESTINATION',d.pl('place_of_delivery',s.dlv,'N'),'ETA',d.date('eta',s.eta),'PIER',d.txt('terminal',s.term[0]),'FIRMS',d.num('firms_code',s.term[1]),'LFD',d.date('last_free_day',s.eta+dt.timedelta(5)),'IT NO.',d.num('it_number',dig(s.r,9)))+CT(d,s,'nskw','CONTAINER|SEAL|PKGS|LBS',wunit='lb')+CTC(d,[('OCEAN FREIGHT',s.r.randint(1500,3800)),('D.D.C.',s.r.randint(400,900))]),'Letter')
def CTC(d,ch,h='CHARGES|AMOUNT'): 
    a,b=h.split('|'); return f'<table class=ct style="width:50%"><tr><th>{a}<th>{b}</tr>'+d.rows('charges',ch,lambda x:f"<tr><td>{d.txt('description',x[0])}<td>{d.mon('amount',x[1])}</tr>")+'</table>'

@sc('pngbw',J('CN','US'))
def b_do(s):
    d=D('delivery_order','sc-do-handover',df='mm/dd/y')
    return d,pg('Liberation Serif',13,'',f"<h2 style='text-align:center'>PICK UP &amp; DELIVERY ORDER</h2>"+BX('Order number',d.num('do_number',dig(s.r,6)),'Date',d.date('issue_date',s.eta+dt.timedelta(2)),'Trucker',d.pa('trucker',s.trk),'Deliver to',d.pa('deliver_to',s.cne),'Pick up at',d.txt('terminal',s.term[0]),'Last free day',d.date('last_free_day',s.eta+dt.timedelta(6)),'Master B/L',d.num('bl_number',s.bl),'Vessel / Voyage',d.txt('vessel',s.ves)+' / '+d.num('voyage',s.voy),'Empty return location',d.txt('empty_return','Gatepoint Chassis Yard'),'P/U #',d.num('pickup_number',dig(s.r,7)))+CT(d,s,'nzskw','Container|Size|Seal|Ctns|Weight',0,wu=' lbs',wunit='lb')+'<p>Driver must check container for damage before leaving the terminal.</p>','Letter')

@sc('grey',J('CN','GB','CMA'))
def b_bk(s):
    d=D('booking_confirmation','sc-bk-note',df='dd MMM y'); t=s.etd; d.put('scac','CMDU')
    return d,pg('Open Sans',11,'',f"<h3>CMA CGM &mdash; Booking Confirmation</h3>"+KV('Booking No',d.num('booking_number',s.bk),'Issued on',d.date('issue_date',t-dt.timedelta(12)),'Vessel',d.txt('vessel',s.ves),'Voyage Ref',d.num('voyage',s.voy),'Loading Port',d.pl('port_of_lading',s.pol),'Discharge Port',d.pl('port_of_discharge',s.pod),'ETD',d.date('etd',t),'ETA',d.date('eta',s.eta),'Equipment',eqs(d,s,2),'Empty depot',d.txt('empty_pickup','Zhenhai Empty Depot'),'S/I cut-off',d.date('si_cutoff',t-dt.timedelta(3),time='10:00'),'VGM cut-off',d.date('vgm_cutoff',t-dt.timedelta(2),time='10:00'),'Port cut-off',d.date('cy_cutoff',t-dt.timedelta(1),time='23:00'),sep=' :'))

@sc('grey',J('ES','MX',lines=4))
def b_ci(s):
    d=D('commercial_invoice','sc-ci-factura','es'); d.cury='EUR'; s.cur='EUR'
    return d,pg('Liberation Sans',12,'.ct td{border-bottom:1px dotted #000}',f"<table><tr><td>{d.pa('seller',s.shp,bold=True)}<td style='text-align:right'><b>FACTURA</b> {d.num('invoice_number',s.inv)}<br>{d.date('issue_date',s.etd-dt.timedelta(2))}</tr></table><p>Sr. cliente:<br>{d.pa('buyer',s.cne)}</p><p>Su pedido: {d.num('po_number',s.po)} &nbsp; Entrega: {d.code('incoterm',s.inc)} {d.e(s.pol[1])}</p><table class=ct><tr><th>Cant.<th>Concepto<th>Precio<th>Total</tr>{d.rows('lines',s.lines,lambda l:f'''<tr><td>{d.qty('quantity',l['q'])}<td>{d.txt('description',l['g']['es'])}<td>{d.mon('unit_price',l['p'])}<td>{d.mon('amount',l['a'])}</tr>''')}<tr><td><td><td><b>TOTAL EUROS</b><td><b>{d.mon('total',s.tot)}</b></tr></table><p>Pago: {d.txt('payment_terms','carta de crédito a la vista')}</p>")

@sc('bw',J('CN','US',lines=3))
def b_pl(s):
    d=D('packing_list','sc-pl-typed',df='y-mm-dd'); L=s.lines
    return d,pg('Courier Prime',12,'',f"<center><b>{d.e(s.shp[0].upper())}</b><br>PACKING / WEIGHT LIST</center><p>INVOICE NO.: {d.num('invoice_number',s.inv)}<br>DATE: {d.date('issue_date',s.etd)}<br>P/O: {d.num('po_number',s.po)}</p><table class=ct><tr><th>DESCRIPTION<th>QTY<th>CTNS<th>N.W.<th>G.W.</tr>{d.rows('lines',L,lambda l:f'''<tr><td>{d.txt('description',l['g']['en'])}<td>{d.qty('quantity',l['q'])}<td>{d.qty('packages',l['k'])}<td>{d.mass('net_weight',l['nw'],1,'KG')}<td>{d.mass('gross_weight',l['gw'],1,'KG')}</tr>''')}</table><p>TOTAL PACKAGES: {d.qty('packages',sum(l['k'] for l in L))} CTNS<br>TOTAL NET WEIGHT: {d.mass('net_weight',sum(l['nw'] for l in L),1,' KGS')}<br>TOTAL GROSS WEIGHT: {d.mass('gross_weight',sum(l['gw'] for l in L),1,' KGS')}<br>TOTAL MEASUREMENT: {d.vol('volume',sum(l['v'] for l in L),3,' CBM')}</p>")

@sc('grey',J('BR','IT'))
def b_ce(s):
    d=D('customs_entry','sc-ce-it','it')
    return d,pg('Liberation Sans',11,'',"<b>DICHIARAZIONE DOGANALE DI IMPORTAZIONE – Ufficio delle dogane di Genova</b>"+BX('MRN',d.num('entry_number','26IT'+let(s.r,3)+dig(s.r,11)),'Data di accettazione',d.date('entry_date',s.eta+dt.timedelta(2)),'Importatore',d.pa('importer',s.cne),'Esportatore',d.pa('-',s.shp),'Polizza di carico',d.num('bl_number',s.bl),'Data di arrivo',d.date('import_date',s.eta),'Rappresentante',d.e(s.fd[0]),'Merce',d.e(s.g['it']),'Codice NC',s.g['hs']+'00','Massa lorda (kg)',d.n(s.tw,2)))

@sc('jpg',J('TR','US'))
def b_co(s):
    d=D('certificate_of_origin','sc-co-stamped',df='d MMMM y')
    return d,pg('EB Garamond',14,'body{border:4px double #333;padding:14px}',f"<h2 style='text-align:center'>Certificate of Origin</h2><p>No. {d.num('certificate_number','B'+dig(s.r,7))}</p><p>Exporter:<br>{d.pa('exporter',s.shp)}</p><p>Consignee: {d.e(s.cne[0])}, {d.e(', '.join(s.cne[1]))}</p><p>Country of Origin: {d.txt('country_of_origin','TURKIYE')}</p><p>Invoice: {d.num('invoice_number',s.inv)}</p><p>Goods: {d.e(', '.join(g['en'] for g in s.goods))}</p><p>Certified by the Chamber of Industry, Denizli, {d.date('issue_date',s.etd)}</p>")

@sc('grey',J('CN','IT','MSC'))
def b_fi(s):
    d=D('freight_invoice','sc-fi-it','it'); d.cury='EUR'; r=s.r; d.put('currency','EUR'); ch=[('Nolo marittimo',r.randint(1500,3000)),('THC sbarco',r.randint(200,260)),('Diritti di agenzia',60)]; t=sum(c[1] for c in ch)
    return d,pg('Carlito',13,'',f"<h3>{d.e(s.fd[0])}</h3><p>{d.e(', '.join(s.fd[1]))}</p><p>FATTURA N. {d.num('invoice_number',dig(r,4)+'/26')}<br>del {d.date('issue_date',s.eta+dt.timedelta(2))}<br>Scadenza {d.date('due_date',s.eta+dt.timedelta(32))}</p><p>Spett.le {d.e(s.cne[0])}</p><p>Polizza di carico {d.num('bl_number',s.bl)} – M/n {d.e(s.ves)}</p><table class=ct><tr><th>Voce<th>Importo EUR</tr>{''.join(f'<tr><td>{a}<td>{d.n(b,2)}</tr>' for a,b in ch)}<tr><td><b>Totale fattura</b><td><b>{d.mon('total',t)}</b></tr></table>")

@sc('bw',J('US','CN'))
def b_ot(s):
    d=D('other','sc-ot-fumigation')
    return d,pg('Liberation Serif',13,'',f"<h2>FUMIGATION CERTIFICATE</h2><p>This is to certify that the following regulated articles have been fumigated according to ISPM 15.</p>"+KV('Shipper',d.pa('-',s.shp),'Consignee',d.pa('-',s.cne),'Vessel',d.e(s.ves),'Container',s.con[0]['no'],'Fumigant','Methyl bromide','Dosage','48 g/m³ at 24 hours','Date of treatment',d.date('-',s.etd-dt.timedelta(3))))

@sc('grey',J('FR','US','CMA'))
def b_bl_fr(s):
    d=D('bill_of_lading','sc-bl-fr','fr'); d.put('scac','CMDU')
    return d,pg('Liberation Sans',11,'',f"<h2>CMA CGM — CONNAISSEMENT MARITIME n° {d.num('bl_number',s.bl)}</h2>"+BX('CHARGEUR',d.pa('shipper',s.shp),'DESTINATAIRE',d.pa('consignee',s.cne),'NOTIFIER',d.pa('notify_party',s.ntf),'RÉSERVATION',d.num('booking_number',s.bk),'NAVIRE',d.txt('vessel',s.ves),'VOYAGE',d.num('voyage',s.voy),'PORT DE CHARGEMENT',d.pl('port_of_lading',s.pol),'PORT DE DÉCHARGEMENT',d.pl('port_of_discharge',s.pod))+CT(d,s,'nszkwv','Conteneur|Plomb|Type|Colis|Poids brut kg|m³')+'<p>'+dsc(d,s)+f"</p><p>Fret {d.code('freight_terms',s.terms,s.terms)} — Originaux : {d.qty('originals',3,show='3')} — Émis à {d.pl('issue_place',s.pol)} le {d.date('issue_date',s.etd)}</p>")

@sc('grey',J('KR','DE','ONE'))
def b_an_de(s):
    d=D('arrival_notice','sc-an-de','de'); d.put('scac','ONEY')
    return d,pg('Caladea',12.5,'',f"<h2>Eingangsavis</h2><p>Hamburg, {d.date('issue_date',s.eta-dt.timedelta(3))}</p><p>{d.pa('consignee',s.cne)}</p><p>Ihre Sendung mit Ocean Network Express (ONE):</p>"+KV('Konnossement',d.num('bl_number',s.bl),'Seeschiff',d.txt('vessel',s.ves),'Reise',d.num('voyage',s.voy),'Verladehafen',d.pl('port_of_lading',s.pol),'Entladehafen',d.pl('port_of_discharge',s.pod),'Ankunft (ETA)',d.date('eta',s.eta),'Kaianlage',d.txt('terminal',s.term[0]))+CT(d,s,'nszkw','Container|Siegel|Typ|Kolli|Gewicht kg',1,0))

@sc('png',J('NL','CA','MSC'))
def b_vgm(s):
    d=D('other','sc-ot-si'); return d,pg('Lato',13,'',"<h2>Shipping Instruction</h2>"+KV('Booking',s.bk,'Shipper',d.pa('-',s.shp),'Consignee',d.pa('-',s.cne),'Vessel',d.e(s.ves),'POL / POD',d.e(s.pol[1]+' / '+s.pod[1]),'Container',s.con[0]['no']+' seal '+s.con[0]['seal'],'Bill type','Sea waybill requested'))

# c: scans with a text layer of tesseract
def oc(lang_job,mode='ocr'): return sc(mode,lang_job,group='c')
@oc(J('DE','US','MSC'))
def c_bl(s):
    d=D('bill_of_lading','oc-bl-left-captions',df='d-MMM-y'); d.put('scac','MSCU')
    return d,pg('Liberation Sans',12,'.kv td{border:1px solid #999}',f"<h2>MSC MEDITERRANEAN SHIPPING COMPANY S.A.</h2><h3>Ocean Bill of Lading</h3>"+KV('Bill of lading no.',d.num('bl_number',s.bl),'Shipper',d.pa('shipper',s.shp),'Consignee',d.pa('consignee',s.cne),'Notify party',d.pa('notify_party',s.ntf),'Vessel',d.txt('vessel',s.ves),'Voyage no.',d.num('voyage',s.voy),'Port of loading',d.pl('port_of_lading',s.pol),'Port of discharge',d.pl('port_of_discharge',s.pod),'Description of goods',dsc(d,s),'Freight',d.code('freight_terms',s.terms,s.terms.upper()),'Originals issued',d.qty('originals',3,show='Three (3)'),'Place and date of issue',d.pl('issue_place',s.pol)+', '+d.date('issue_date',s.etd))+CT(d,s,'nszkwv','Container|Seal|Type|Packages|Gross kg|CBM',1))
@oc(J('IN','CA'))
def c_hbl(s):
    d=D('house_bill_of_lading','oc-hbl-boxes',df='dd MMM y')
    return d,pg('Liberation Serif',12,'.bx>div{min-height:60px}',f"<table><tr><td><b>{d.e(s.fo[0])}</b><td style='text-align:right'>HOUSE B/L {d.num('hbl_number',s.hbl)}</tr></table>"+BX('SHIPPER',d.pa('shipper',s.shp),'CONSIGNEE',d.pa('consignee',s.cne),'NOTIFY PARTY',d.pa('notify_party',s.ntf),'VESSEL AND VOYAGE',d.txt('vessel',s.ves)+' '+d.num('voyage',s.voy),'PORT OF LOADING',d.pl('port_of_lading',s.pol,'NC'),'PORT OF DISCHARGE',d.pl('port_of_discharge',s.pod,'NC'),'PLACE OF DELIVERY',d.pl('place_of_delivery',s.dlv,'NC'),'FREIGHT',d.code('freight_terms',s.terms,s.terms.upper()))+'<p>SAID TO CONTAIN:<br>'+dsc(d,s)+'</p>'+CT(d,s,'nskwv','Container no.|Seal no.|Packages|Weight|Measurement',wu=' KGS',vu=' CBM')+f"<p>Issued in {d.pl('issue_place',s.pol)} on {d.date('issue_date',s.etd)}. Number of originals: {d.qty('originals',3,show='3')}</p>")
@oc(J('BR','NL','HAPAG'))
def c_swb(s):
    d=D('sea_waybill','oc-swb-lines',df='d MMMM y'); d.put('scac','HLCU')
    return d,pg('DejaVu Sans',10.5,'.kv td{border-bottom:1px solid #bbb}',"<h2>Hapag-Lloyd Sea Waybill</h2>"+KV('SWB number',d.num('bl_number',s.bl),'Carrier reference',d.num('booking_number',s.bk),'Shipper',d.pa('shipper',s.shp),'Consignee',d.pa('consignee',s.cne),'Notify address',d.pa('notify_party',s.ntf),'Vessel',d.txt('vessel',s.ves),'Voyage',d.num('voyage',s.voy),'Port of loading',d.pl('port_of_lading',s.pol),'Port of discharge',d.pl('port_of_discharge',s.pod),'Cargo',dsc(d,s),'Shipped on board',d.date('on_board_date',s.etd),'Place of issue',d.pl('issue_place',s.pol),sep=':')+CT(d,s,'nzskw','Container|Type|Seals|Packages|Gross weight',1,1,' KGM'))
@oc(J('CN','US','YM',inland=True))
def c_an(s):
    d=D('arrival_notice','oc-an-two',df='MMMM d, y'); d.put('scac','YMLU')
    return d,pg('Carlito',13,'',"<h2>Yang Ming (America) Corp.</h2><h3>ARRIVAL NOTICE</h3>"+BX('Notice date',d.date('issue_date',s.eta-dt.timedelta(5)),'B/L number',d.num('bl_number',s.bl),'Consignee',d.pa('consignee',s.cne),'Notify party',d.pa('notify_party',s.ntf),'Vessel name',d.txt('vessel',s.ves),'Voyage',d.num('voyage',s.voy),'Port of loading',d.pl('port_of_lading',s.pol,'nc'),'Port of discharge',d.pl('port_of_discharge',s.pod,'nc'),'Place of delivery',d.pl('place_of_delivery',s.dlv,'nc'),'Estimated time of arrival',d.date('eta',s.eta),'Terminal',d.txt('terminal',s.term[0]),'FIRMS code',d.num('firms_code',s.term[1]))+CT(d,s,'nszkw','Container|Seal|Size|Pieces|Weight (LB)',2,wunit='lb')+f"<p>Last free day: {d.date('last_free_day',s.eta+dt.timedelta(6))}</p>",'Letter')
@oc(J('CN','FR'))
def c_do(s):
    d=D('delivery_order','oc-do-fr','fr')
    return d,pg('Liberation Sans',12.5,'',f"<h2>{d.e(s.fd[0])}</h2><h3>ORDRE DE LIVRAISON n° {d.num('do_number',dig(s.r,6))} du {d.date('issue_date',s.eta+dt.timedelta(2))}</h3>"+KV('Transporteur',d.pa('trucker',s.trk),'Livrer à',d.pa('deliver_to',s.cne),'Enlèvement au terminal',d.txt('terminal',s.term[0]),'Navire',d.txt('vessel',s.ves),'Voyage',d.num('voyage',s.voy),'Connaissement',d.num('bl_number',s.bl),'Retour du vide',d.txt('empty_return','Dépôt Sandouville'),sep=' :')+CT(d,s,'nzskw','Conteneur|Type|Plomb|Colis|Poids brut (kg)'))
@oc(J('IT','BR','MSC'))
def c_bk(s):
    d=D('booking_confirmation','oc-bk-plain',df='W'); t=s.etd; d.put('scac','MSCU')
    return d,pg('Roboto',12.5,'',"<h2>MSC</h2><p>We hereby confirm your booking as per details below.</p>"+KV('Booking ref',d.num('booking_number',s.bk),'Date',d.date('issue_date',t-dt.timedelta(9)),'Vessel',d.txt('vessel',s.ves),'Voyage',d.num('voyage',s.voy),'Port of load',d.pl('port_of_lading',s.pol),'Port of discharge',d.pl('port_of_discharge',s.pod),'ETD',d.date('etd',t),'ETA',d.date('eta',s.eta),'Containers',eqs(d,s,1),'SI deadline',d.date('si_cutoff',t-dt.timedelta(3)),'VGM deadline',d.date('vgm_cutoff',t-dt.timedelta(2)),'Gate-in deadline',d.date('cy_cutoff',t-dt.timedelta(1))))
def civ(d,s,heads,unit=True):
    return f"<table class=ct>"+'<tr>'+''.join('<th>'+h for h in heads.split('|'))+'</tr>'+d.rows('lines',s.lines,lambda l:f"<tr><td>{d.txt('description',d.gn(l['g']))}<td>{d.qty('quantity',l['q'])}<td>{d.mon('unit_price',l['p'])}<td>{d.mon('amount',l['a'])}</tr>")
@oc(J('FR','CA',lines=3))
def c_ci(s):
    d=D('commercial_invoice','oc-ci-fr','fr'); d.cury='EUR'; s.cur='EUR'
    return d,pg('Lato',13,'',f"<p>{d.pa('seller',s.shp,bold=True)}</p><h2>Facture commerciale {d.num('invoice_number',s.inv)}</h2><p>Date : {d.date('issue_date',s.etd-dt.timedelta(3))}<br>Commande : {d.num('po_number',s.po)}<br>Incoterm : {d.code('incoterm',s.inc)} {d.e(s.pod[1])}</p><p>Acheteur :<br>{d.pa('buyer',s.cne)}</p>"+civ(d,s,'Désignation|Quantité|Prix unitaire|Montant')+f"<tr><td><b>Total EUR</b><td><td><td><b>{d.mon('total',s.tot)}</b></tr></table><p>Paiement : {d.txt('payment_terms','virement à 30 jours')}</p>")
@oc(J('US','GB',lines=3))
def c_ci2(s):
    d=D('commercial_invoice','oc-ci-us',df='MMMM d, y'); d.cury='USD'; s.cur='USD'
    return d,pg('Liberation Serif',13,'',f"<h2>COMMERCIAL INVOICE</h2>"+BX('SELLER',d.pa('seller',s.shp),'BUYER',d.pa('buyer',s.cne),'INVOICE NUMBER',d.num('invoice_number',s.inv),'INVOICE DATE',d.date('issue_date',s.etd-dt.timedelta(5)),'PURCHASE ORDER',d.num('po_number',s.po),'TERMS OF SALE',d.code('incoterm',s.inc)+' '+d.e(s.pol[1]),'TERMS OF PAYMENT',d.txt('payment_terms','Net 45 days'),'CURRENCY',d.code('currency','USD'))+civ(d,s,'DESCRIPTION|QTY|UNIT PRICE|TOTAL')+f"</table><p style='text-align:right'><b>INVOICE TOTAL: {d.mon('total',s.tot,pre='$')}</b></p>",'Letter')
@oc(J('NL','US',lines=3))
def c_pl(s):
    d=D('packing_list','oc-pl-nl','nl'); L=s.lines
    return d,pg('Open Sans',12,'',f"<h2>PAKLIJST</h2><p>{d.e(s.shp[0])}</p><p>Factuurnummer: {d.num('invoice_number',s.inv)}<br>Datum: {d.date('issue_date',s.etd-dt.timedelta(2))}<br>Ordernummer: {d.num('po_number',s.po)}</p><table class=ct><tr><th>Omschrijving<th>Aantal<th>Colli<th>Netto kg<th>Bruto kg</tr>"+d.rows('lines',L,lambda l:f"<tr><td>{d.txt('description',l['g']['nl'])}<td>{d.qty('quantity',l['q'])}<td>{d.qty('packages',l['k'])}<td>{d.mass('net_weight',l['nw'],1,'')}<td>{d.mass('gross_weight',l['gw'],1,'')}</tr>")+f"<tr><td><b>Totaal</b><td><td>{d.qty('packages',sum(l['k'] for l in L))}<td>{d.mass('net_weight',sum(l['nw'] for l in L),1,'')}<td>{d.mass('gross_weight',sum(l['gw'] for l in L),1,'')}</tr></table>")
@oc(J('CN','US',amb=True))
def c_ce(s):
    d=D('customs_entry','oc-ce-broker',df='mm/dd/y'); d.un.append('import_date')
    return d,pg('Liberation Sans',12.5,'.kv td{border-bottom:1px solid #ccc}',"<h2>Customs Entry Recap (release copy)</h2>"+KV('Entry no.',d.num('entry_number',let(s.r,3)+'-'+dig(s.r,7)+'-'+dig(s.r,1)),'Entry date',d.date('entry_date',s.eta+dt.timedelta(2)),'Import date',d.date('-',s.eta),'Importer of record',d.pa('importer',s.cne),'Bill of lading',d.num('bl_number',s.bl),'Vessel',d.e(s.ves),'HTS',s.g['hs'][:4]+'.'+s.g['hs'][4:]+'.0000','Entered value','$'+d.n(s.tot,0),'Status','CBP RELEASED'),'Letter')
@oc(J('ES','US'))
def c_co(s):
    d=D('certificate_of_origin','oc-co-es','es')
    return d,pg('Liberation Serif',14,'',f"<h2 style='text-align:center'>CERTIFICADO DE ORIGEN</h2><p>Certificado n.º {d.num('certificate_number',dig(s.r,8))}</p><p>Exportador:<br>{d.pa('exporter',s.shp)}</p><p>Importador: {d.e(s.cne[0])}</p><p>País de origen: {d.txt('country_of_origin','España')}</p><p>Factura: {d.num('invoice_number',s.inv)}</p><p>Mercancías: {d.e(', '.join(g['es'] for g in s.goods))}</p><p>Fecha de expedición: {d.date('issue_date',s.etd)}</p>")
@oc(J('PT','BR','MAERSK'))
def c_fi(s):
    d=D('freight_invoice','oc-fi-pt','pt'); d.cury='EUR'; r=s.r; d.put('currency','EUR'); ch=[('Frete marítimo',r.randint(900,2500)),('THC origem',180),('Emissão de BL',50)]
    return d,pg('Carlito',13.5,'',f"<h2>{d.e(s.fo[0])}</h2><p>FATURA DE FRETE N.º {d.num('invoice_number','FT '+dig(r,5))}<br>Data: {d.date('issue_date',s.etd+dt.timedelta(1))}<br>Vencimento: {d.date('due_date',s.etd+dt.timedelta(31))}<br>Conhecimento (B/L): {d.num('bl_number',s.bl)}</p><p>Cliente: {d.e(s.shp[0])}</p><table class=ct><tr><th>Descrição<th>Valor (EUR)</tr>{''.join(f'<tr><td>{a}<td>{d.n(b,2)}</tr>' for a,b in ch)}<tr><td><b>Total a pagar</b><td><b>{d.mon('total',sum(c[1] for c in ch))}</b></tr></table>")
@oc(J('CN','US'))
def c_ot(s):
    d=D('other','oc-ot-insurance'); return d,pg('EB Garamond',15,'',f"<h2>Certificate of Marine Insurance</h2><p>No. MC{dig(s.r,7)}</p><p>Assured: {d.e(s.cne[0])}</p><p>Vessel: {d.e(s.ves)} from {d.e(s.pol[1])} to {d.e(s.pod[1])}</p><p>Sum insured: USD {d.n(s.tot,2)}</p><p>Interest: {d.e(s.g['en'])}</p><p>Conditions: Institute Cargo Clauses (A) 1/1/09. Claims payable at destination.</p>")
@oc(J('DE','GB'),'ocrbw')
def c_hbl_de(s):
    d=D('house_bill_of_lading','oc-hbl-de','de')
    return d,pg('Liberation Sans',12,'',f"<h2>{d.e(s.fo[0])}</h2><h3>Haus-Konnossement Nr. {d.num('hbl_number',s.hbl)}</h3>"+BX('Befrachter',d.pa('shipper',s.shp),'Empfänger',d.pa('consignee',s.cne),'Notify',d.pa('notify_party',s.ntf),'Schiff / Reise',d.txt('vessel',s.ves)+' / '+d.num('voyage',s.voy),'Ladehafen',d.pl('port_of_lading',s.pol),'Löschhafen',d.pl('port_of_discharge',s.pod))+'<p>'+dsc(d,s)+'</p>'+CT(d,s,'nszkw','Container|Plombe|Größe|Kolli|Bruttogewicht',2,1,' kg')+f"<p>Ausgestellt in {d.pl('issue_place',s.pol)} am {d.date('issue_date',s.etd,'d. MMMM y')}</p>")
@oc(J('KR','ES','HMM'),'ocrbw')
def c_an_es(s):
    d=D('arrival_notice','oc-an-es','es'); d.put('scac','HDMU')
    return d,pg('Roboto',12.5,'',f"<h2>NOTIFICACIÓN DE LLEGADA</h2><p>HMM — Fecha: {d.date('issue_date',s.eta-dt.timedelta(4))}</p>"+KV('Consignatario',d.pa('consignee',s.cne),'Conocimiento (B/L)',d.num('bl_number',s.bl),'Buque',d.txt('vessel',s.ves),'Viaje',d.num('voyage',s.voy),'Puerto de carga',d.pl('port_of_lading',s.pol),'Puerto de descarga',d.pl('port_of_discharge',s.pod),'Fecha prevista de llegada (ETA)',d.date('eta',s.eta),'Terminal',d.txt('terminal',s.term[0]))+CT(d,s,'nszkw','Contenedor|Precinto|Tipo|Bultos|Peso (kg)',1))

# d: sideways, upside down
@lay('chromium',J('CN','US','COSCO'),group='d',mode='rotate',angle=90)
@lay('chromium',J('CN','AU','ZIM'),group='d',mode='grey',angle=90)
def d_bl(s):
    d=D('bill_of_lading','tu-bl-wide',df='d-MMM-y'); d.put('scac',s.car['scac'])
    return d,pg('Liberation Sans',10.5,'',f"<b style='font-size:16px'>{d.e(s.car['name'].upper())}</b> &mdash; BILL OF LADING {d.num('bl_number',s.bl)}"+BX('SHIPPER',d.pa('shipper',s.shp,up=True),'CONSIGNEE',d.pa('consignee',s.cne,up=True),'NOTIFY PARTY',d.pa('notify_party',s.ntf,up=True),n=3)+BX('VESSEL',d.txt('vessel',s.ves),'VOYAGE',d.num('voyage',s.voy),'PORT OF LOADING',d.pl('port_of_lading',s.pol,'NC'),'PORT OF DISCHARGE',d.pl('port_of_discharge',s.pod,'NC'),'FREIGHT',d.code('freight_terms',s.terms,s.terms.upper()),n=5)+CT(d,s,'nszkwv','CONTAINER|SEAL|TYPE|PKGS|GROSS WEIGHT KGS|MEASUREMENT CBM',0)+'<p>GOODS<br>'+dsc(d,s)+f"</p>"+BX('PLACE OF ISSUE',d.pl('issue_place',s.pol,'N'),'DATE OF ISSUE',d.date('issue_date',s.etd),'NO. OF ORIGINALS',d.qty('originals',3,show='3'),n=3),'A4 landscape' if s.ck=='COSCO' else 'A4')
@lay('wk',J('CN','CA',lines=3),group='d',mode='content',angle=90)
@lay('chromium',J('VN','US',lines=4),group='d',mode='bw',angle=180)
def d_pl(s):
    d=D('packing_list','tu-pl-table',df='y-mm-dd'); L=s.lines
    return d,pg('Liberation Sans',12,'',f"<h2>PACKING LIST</h2><p>{d.e(s.shp[0])}<br>{d.e(', '.join(s.shp[1]))}</p><p>Number {d.num('packing_list_number','P'+dig(s.r,6))}<br>Invoice {d.num('invoice_number',s.inv)}<br>Date {d.date('issue_date',s.etd)}</p><table class=ct border=1 cellpadding=4><tr><th>Article<th>Pieces<th>Cartons<th>Net weight kg<th>Gross weight kg<th>Volume m3</tr>"+d.rows('lines',L,lambda l:f"<tr><td>{d.txt('description',l['g']['en'])}<td>{d.qty('quantity',l['q'])}<td>{d.qty('packages',l['k'])}<td>{d.mass('net_weight',l['nw'],1,'')}<td>{d.mass('gross_weight',l['gw'],1,'')}<td>{d.vol('volume',l['v'],3,'')}</tr>")+f"<tr><td>Total<td><td>{d.qty('packages',sum(l['k'] for l in L))}<td>{d.mass('net_weight',sum(l['nw'] for l in L),1,'')}<td>{d.mass('gross_weight',sum(l['gw'] for l in L),1,'')}<td>{d.vol('volume',sum(l['v'] for l in L),3,'')}</tr></table>")
@lay('wk',J('CN','GB','EVERGREEN'),group='d',mode='rotate',angle=180)
@lay('chromium',J('IN','DE','HAPAG'),group='d',mode='content',angle=270)
def d_an(s):
    d=D('arrival_notice','tu-an',df='dd MMM y'); d.put('scac',s.car['scac'])
    return d,pg('Liberation Sans',12.5,'',f"<h2>ARRIVAL NOTICE</h2><p>Carrier: {d.e(s.car['name'])}</p>"+KV('Date of notice',d.date('issue_date',s.eta-dt.timedelta(4)),'Bill of lading',d.num('bl_number',s.bl),'Consignee',d.pa('consignee',s.cne),'Notify',d.pa('notify_party',s.ntf),'Vessel',d.txt('vessel',s.ves),'Voyage',d.num('voyage',s.voy),'Loaded at',d.pl('port_of_lading',s.pol),'Discharging at',d.pl('port_of_discharge',s.pod),'ETA',d.date('eta',s.eta),'Terminal',d.txt('terminal',s.term[0]))+CT(d,s,'nszkwv','Container|Seal|Type|Packages|Kg|Cbm',3))
@lay('chromium',J('IT','FR',lines=4),group='d',mode='rotate',angle=270)
@lay('chromium',J('DE','ES',lines=3),group='d',mode='jpg',angle=270)
def d_ci(s):
    d=D('commercial_invoice','tu-ci',df='d MMMM y'); d.cury='EUR'; s.cur='EUR'
    return d,pg('Lato',12.5,'',f"<h2>Commercial Invoice {d.num('invoice_number',s.inv)}</h2><p>Date: {d.date('issue_date',s.etd-dt.timedelta(2))} &nbsp; Purchase order: {d.num('po_number',s.po)}</p>"+BX('Seller',d.pa('seller',s.shp),'Buyer',d.pa('buyer',s.cne))+civ(d,s,'Description|Quantity|Unit price|Amount')+f"<tr><td><b>Total {d.code('currency','EUR')}</b><td><td><td><b>{d.mon('total',s.tot)}</b></tr></table><p>Delivery: {d.code('incoterm',s.inc)} {d.e(s.pod[1])}. Payment: {d.txt('payment_terms','60 days net')}.</p>")
