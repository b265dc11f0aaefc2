from reg import *
import docx
from docx.shared import Pt, Mm, RGBColor
from docx.enum.text import WD_ALIGN_PARAGRAPH as AL
from docx.oxml.ns import qn
from docx.oxml import OxmlElement
P='lo'
class Wd:
    def __init__(w,font='Liberation Sans',size=10,margin=18,letter=False,land=False):
        w.d=docx.Document(); s=w.d.sections[0]
        a,b=(Mm(215.9),Mm(279.4)) if letter else (Mm(210),Mm(297))
        s.page_width,s.page_height=(b,a) if land else (a,b)
        s.left_margin=s.right_margin=s.top_margin=s.bottom_margin=Mm(margin); w.width=(b if land else a)-2*Mm(margin)
        st=w.d.styles['Normal']; st.font.name=font; st.font.size=Pt(size); st.element.rPr.rFonts.set(qn('w:eastAsia'),'WenQuanYi Micro Hei')
        st.paragraph_format.space_after=Pt(3); w.cap=6.5; w.capcol=None
    save=lambda w,f: w.d.save(f)
    def run(w,p,text,size=None,bold=False,color=None,italic=False):
        for i,t in enumerate(text.split('\n')):
            r=p.add_run(); 
            if i: r.add_break()
            r.add_text(t); r.bold=bold; r.italic=italic
            if size: r.font.size=Pt(size)
            if color: r.font.color.rgb=RGBColor.from_string(color)
    def fillp(w,p,text,**k):
        if text.startswith('^'):
            c,_,v=text[1:].partition('|'); w.run(p,c+'\n',size=w.cap,color=w.capcol); w.run(p,v,**k); return
        for i,t in enumerate(text.split('**')): w.run(p,t,**{**k,'bold':k.get('bold') or i%2==1})
    def p(w,text,al=None,**k):
        p=w.d.add_paragraph(); w.fillp(p,text,**k)
        if al: p.alignment={'c':AL.CENTER,'r':AL.RIGHT}[al]
        return p
    def t(w,rows,widths=None,style='Table Grid',head=None,size=None,right=(),headcol=None,spans={}):
        n=max(len(r) for r in rows); t=w.d.add_table(rows=len(rows),cols=n); 
        if style: t.style=style
        t.autofit=False
        ws=widths or [1]*n; tot=sum(ws)
        for j in range(n): t.columns[j].width=int(w.width*ws[j]/tot)
        for i,r in enumerate(rows):
            for j in range(n):
                c=t.cell(i,j); c.width=int(w.width*ws[j]/tot)
                if j<len(r) and r[j] is not None:
                    p=c.paragraphs[0]; p.paragraph_format.space_after=Pt(1); w.fillp(p,str(r[j]),size=size,bold=bool(head and i==0),color=headcol if (head and i==0) else None)
                    if j in right: p.alignment=AL.RIGHT
                if head and i==0 and isinstance(head,str):
                    sh=OxmlElement('w:shd'); sh.set(qn('w:val'),'clear'); sh.set(qn('w:fill'),head); c._tc.get_or_add_tcPr().append(sh)
        for (i,j),(i2,j2) in spans.items(): 
            a=t.cell(i,j).merge(t.cell(i2,j2))
            for q in a.paragraphs[1:]:
                if not q.text: q._p.getparent().remove(q._p)
        w.d.add_paragraph().paragraph_format.space_after=Pt(0)
        return t
def dd(typ,lay,lang='en',**k): return D(typ,lay,lang,med='docx',**k)

@lay(P,J('CN','US','WANHAI'),J('TW','CA','EVERGREEN'))
def bl_word(s):
    d=dd('bill_of_lading','lo-bl-combined',df='d-MMM-y'); d.put('scac',s.car['scac']); w=Wd('Liberation Sans Narrow',9,14)
    w.p(d.e(s.car['name']),size=14,bold=True); w.p('BILL OF LADING FOR COMBINED TRANSPORT OR PORT TO PORT SHIPMENT',size=10)
    w.t([['^(1) Shipper / Exporter|'+d.pa('shipper',s.shp,up=True),'^(5) Document No.|'+d.num('bl_number',s.bl)],['^(2) Consignee|'+d.pa('consignee',s.cne,up=True),'^(6) Booking No.|'+d.num('booking_number',s.bk)+'\n(7) Export References: '+s.po],['^(3) Notify Party|'+d.pa('notify_party',s.ntf,up=True),'^(8) Forwarding Agent - References|'+s.fo[0].upper()]])
    w.t([['^(12) Place of Receipt / Date|'+d.pl('place_of_receipt',s.por,'NC'),'^(13) Ocean Vessel / Voy. No.|'+d.txt('vessel',s.ves)+' '+d.num('voyage',s.voy),'^(14) Port of Loading|'+d.pl('port_of_lading',s.pol,'NC')],['^(15) Port of Discharge|'+d.pl('port_of_discharge',s.pod,'NC'),'^(16) Place of Delivery|'+d.pl('place_of_delivery',s.dlv,'NC'),'^(17) Freight|FREIGHT '+d.code('freight_terms',s.terms,s.terms.upper())]])
    w.t([['(18) Container No. & Seal No.','(19) Quantity and Kind of Packages','(20) Description of Goods','(21) Measurement (M³) / Gross Weight (KGS)']]+[[None,None,d.prose('description',[g['en'].upper() for g in s.goods]),None]]+d.rows('containers',s.con,lambda x:[d.num('number',x['no'])+'/'+d.size('size_type',x['sz'],0)+'\n/'+d.num('seal',x['seal']),d.qty('packages',x['k'])+' '+s.pkg,None,d.vol('volume',x['v'],3,' CBM')+'\n'+d.mass('gross_weight',x['w'],2,' KGS')],None),[3,2,5,3],size=8)
    w.t([['^(26) Number of Original B(s)/L|'+d.qty('originals',3,show='THREE (3)'),'^(27) Place of B(s)/L Issue/Date|'+d.pl('issue_place',s.pol,'N')+' '+d.date('issue_date',s.etd),'^(28) Laden on Board|'+d.date('on_board_date',s.etd)+'\n'+s.ves]])
    w.p(REC,size=6); return d,w

@lay(P,J('ES','BR','MSC'))
def bl_es(s):
    d=dd('bill_of_lading','lo-bl-es','es'); d.put('scac','MSCU'); w=Wd('Carlito',10.5); w.capcol='7F6000'; w.cap=7.5
    w.p('CONOCIMIENTO DE EMBARQUE',al='c',size=18,bold=True); w.p('MSC Mediterranean Shipping Company S.A. — N.º '+d.num('bl_number',s.bl)+' — Reserva '+d.num('booking_number',s.bk),al='c')
    w.t([['^CARGADOR|'+d.pa('shipper',s.shp),'^CONSIGNATARIO|'+d.pa('consignee',s.cne)],['^NOTIFÍQUESE A|'+d.pa('notify_party',s.ntf),'^BUQUE Y VIAJE|'+d.txt('vessel',s.ves)+' - '+d.num('voyage',s.voy)]])
    w.t([['^LUGAR DE RECEPCIÓN|'+d.pl('place_of_receipt',s.por),'^PUERTO DE CARGA|'+d.pl('port_of_lading',s.pol),'^PUERTO DE DESCARGA|'+d.pl('port_of_discharge',s.pod),'^LUGAR DE ENTREGA|'+d.pl('place_of_delivery',s.dlv)]])
    w.t([['Contenedor','Precinto','Tipo','Bultos','Peso bruto','Cubicaje']]+d.rows('containers',s.con,lambda x:[d.num('number',x['no']),d.num('seal',x['seal']),d.size('size_type',x['sz'],2),d.qty('packages',x['k'])+' '+d.pkn(s),d.mass('gross_weight',x['w'],2,' kg'),d.vol('volume',x['v'],3,' m³')],None),head='FFF2CC',size=9)
    w.p('Descripción de la mercancía (según declara el cargador):\n'+d.prose('description',[g['es'] for g in s.goods]))
    w.p('Flete '+d.code('freight_terms',s.terms,{'prepaid':'pagado en origen (prepaid)','collect':'pagadero en destino (collect)'}[s.terms])+'.  Originales emitidos: '+d.qty('originals',3,show='tres (3)'))
    w.p('Embarcado a bordo el '+d.date('on_board_date',s.etd)+'. Expedido en '+d.pl('issue_place',s.pol)+', a '+d.date('issue_date',s.etd+dt.timedelta(1),'d de MMMM de y')+'.'); return d,w

@lay(P,J('CN','GB'),J('IN','US'))
def hbl_word(s):
    d=dd('house_bill_of_lading','lo-hbl-plain',df='dd MMM y'); w=Wd('Liberation Serif',10.5,16); w.cap=7; w.capcol='1F4E79'
    w.t([[s.fo[0]+'\n'+'\n'.join(s.fo[1]),'**HOUSE BILL OF LADING**\nNo. '+d.num('hbl_number',s.hbl)+'\nNVOCC bill for combined transport']],style=None,size=12)
    w.t([['^Shipper|'+d.pa('shipper',s.shp),'^Notify|'+d.pa('notify_party',s.ntf)],['^Consignee|'+d.pa('consignee',s.cne),'^Carrier booking / Carrier B/L|'+d.num('booking_number',s.bk)+' / '+d.num('bl_number',s.bl)]])
    w.t([['^Vessel|'+d.txt('vessel',s.ves),'^Voyage|'+d.num('voyage',s.voy),'^Port of loading|'+d.pl('port_of_lading',s.pol,'nc')],['^Port of discharge|'+d.pl('port_of_discharge',s.pod,'nc'),'^Final place of delivery|'+d.pl('place_of_delivery',s.dlv,'nc'),'^Freight payable|Freight '+d.code('freight_terms',s.terms,s.terms)]])
    w.p('Goods:',bold=True); w.p(d.prose('description',[g['en'] for g in s.goods]))
    w.t([['Container','Seal','Type','Packages','Weight','Volume']]+d.rows('containers',s.con,lambda x:[d.num('number',x['no']),d.num('seal',x['seal']),d.size('size_type',x['sz'],5),d.qty('packages',x['k'])+' '+s.pkg.lower(),d.mass('gross_weight',x['w'],1,' kg'),d.vol('volume',x['v'],2,' cbm')],None),head='DEEAF6',size=9,widths=[3,2.5,3,3,2.5,2.5])
    w.p('Originals: '+d.qty('originals',3,show='3 (three)')+'    Issued at '+d.pl('issue_place',s.pol)+' on '+d.date('issue_date',s.etd)+'    On board '+d.date('on_board_date',s.etd)); w.p('In accepting this bill the Merchant agrees to be bound by all stipulations on the face and back hereof.',size=7); return d,w

@lay(P,J('IT','CA','HAPAG'))
def hbl_it(s):
    d=dd('house_bill_of_lading','lo-hbl-it','it'); w=Wd('DejaVu Sans',9)
    w.p('POLIZZA DI CARICO DELLO SPEDIZIONIERE (HOUSE B/L)',size=13,bold=True,color='8B0000'); w.p(s.fo[0]+' – '+', '.join(s.fo[1])+' – vettore contrattuale NVOCC')
    w.t([['Polizza house n.',d.num('hbl_number',s.hbl)],['Caricatore',d.pa('shipper',s.shp)],['Ricevitore',d.pa('consignee',s.cne)],['Notify',d.pa('notify_party',s.ntf)],['Motonave',d.txt('vessel',s.ves)],['Viaggio',d.num('voyage',s.voy)],['Porto di carico',d.pl('port_of_lading',s.pol)],['Porto di scarico',d.pl('port_of_discharge',s.pod)],['Destinazione',d.pl('place_of_delivery',s.dlv)],['Merce',d.prose('description',[g['it'] for g in s.goods])],['Nolo',d.code('freight_terms',s.terms,{'prepaid':'prepagato (prepaid)','collect':'a destino (collect)'}[s.terms])],['Originali',d.qty('originals',3,show='3 (tre)')],['Luogo e data',d.pl('issue_place',s.pol)+', '+d.date('issue_date',s.etd)]],[1,3])
    w.t([['Container','Sigillo','Tipo','Colli','Lordo kg','m³']]+d.rows('containers',s.con,lambda x:[d.num('number',x['no']),d.num('seal',x['seal']),d.size('size_type',x['sz'],1),d.qty('packages',x['k']),d.mass('gross_weight',x['w'],2,''),d.vol('volume',x['v'],3,'')],None),size=8,head='F2DCDB'); return d,w

@lay(P,J('KR','GB','ONE'),J('CA','NL','MSC'))
def swb_word(s):
    d=dd('sea_waybill','lo-swb-columns',df='y-mm-dd'); d.put('scac',s.car['scac']); w=Wd('Open Sans',8.5,14); w.capcol='BD0F72'
    w.p('SEA WAYBILL',size=16,bold=True,al='r'); w.p(s.car['name']+' ('+d.num('scac',s.car['scac'])+')',al='r')
    w.t([['^WAYBILL NO.|'+d.num('bl_number',s.bl),'^BOOKING NO.|'+d.num('booking_number',s.bk),'^DATE OF ISSUE|'+d.date('issue_date',s.etd),'^PLACE OF ISSUE|'+d.pl('issue_place',s.pol)]],style='Table Grid')
    w.t([['^SHIPPER|'+d.pa('shipper',s.shp),'^CONSIGNEE|'+d.pa('consignee',s.cne),'^NOTIFY PARTY|'+d.pa('notify_party',s.ntf)]])
    w.t([['^VESSEL|'+d.txt('vessel',s.ves),'^VOYAGE|'+d.num('voyage',s.voy),'^IMO|'+d.num('vessel_imo',s.imo)],['^PLACE OF RECEIPT|'+d.pl('place_of_receipt',s.por,'l'),'^PORT OF LOADING|'+d.pl('port_of_lading',s.pol,'l'),'^PORT OF DISCHARGE|'+d.pl('port_of_discharge',s.pod,'l')],['^PLACE OF DELIVERY|'+d.pl('place_of_delivery',s.dlv,'l'),'^FREIGHT|'+d.code('freight_terms',s.terms,s.terms.upper()),'^ON BOARD DATE|'+d.date('on_board_date',s.etd)]])
    w.t([['CONTAINER / SEAL','PACKAGES','DESCRIPTION','GROSS WT','MEAS']]+d.rows('containers',s.con,lambda x:[d.num('number',x['no'])+'\nSEAL '+d.num('seal',x['seal'])+'\n'+d.size('size_type',x['sz'],3),d.qty('packages',x['k'])+' '+s.pkg,'',d.mass('gross_weight',x['w'],2,' KGS'),d.vol('volume',x['v'],3,' M3')],None)+[['','',d.prose('description',[g['en'].upper() for g in s.goods]),'','']],[3,2.3,5,2.5,2],head='F7D9EA',size=8); w.p('Goods will be delivered to the named Consignee or its authorised agent on proof of identity without surrender of this document.',size=6.5); return d,w

@lay(P,J('NL','BR','MAERSK'))
def swb_nl(s):
    d=dd('sea_waybill','lo-swb-nl','nl'); d.put('scac','MAEU'); w=Wd('Caladea',10.5,22)
    w.p('ZEEVRACHTBRIEF',size=20,bold=True); w.p('Niet-verhandelbaar document (sea waybill) van vervoerder Maersk A/S')
    w.p('Vrachtbriefnummer: '+d.num('bl_number',s.bl)+'\nBoekingsnummer: '+d.num('booking_number',s.bk))
    w.t([['Afzender:\n'+d.pa('shipper',s.shp),'Geadresseerde:\n'+d.pa('consignee',s.cne)],['Kennisgeving aan:\n'+d.pa('notify_party',s.ntf),'Schip: '+d.txt('vessel',s.ves)+'\nReis: '+d.num('voyage',s.voy)]])
    w.p('Laadhaven: '+d.pl('port_of_lading',s.pol)+'\nLoshaven: '+d.pl('port_of_discharge',s.pod)+'\nPlaats van aflevering: '+d.pl('place_of_delivery',s.dlv))
    w.t([['Container','Zegel','Type','Colli','Brutogewicht','Volume']]+d.rows('containers',s.con,lambda x:[d.num('number',x['no']),d.num('seal',x['seal']),d.size('size_type',x['sz'],2),d.qty('packages',x['k'])+' '+d.pkn(s).lower(),d.mass('gross_weight',x['w'],1,' kg'),d.vol('volume',x['v'],2,' m³')],None),size=9)
    w.p('Omschrijving van de goederen: '+d.prose('description',s.g['nl'])); w.p('Vracht: '+d.code('freight_terms',s.terms,{'prepaid':'vooruitbetaald (prepaid)','collect':'te betalen op bestemming (collect)'}[s.terms])); w.p('Aan boord: '+d.date('on_board_date',s.etd)+'      Afgegeven te '+d.pl('issue_place',s.pol)+', '+d.date('issue_date',s.etd+dt.timedelta(1),'d MMMM y')); return d,w

@lay(P,J('CN','NL','ONE'))
def an_nl(s):
    d=dd('arrival_notice','lo-an-nl','nl'); d.put('scac','ONEY'); w=Wd('Carlito',11,22)
    w.p(s.fd[0],size=16,bold=True,color='1F3864'); w.p(', '.join(s.fd[1]),size=8)
    w.p('\nAan:\n'+d.pa('consignee',s.cne)); w.p('Rotterdam, '+d.date('issue_date',s.eta-dt.timedelta(5),'d MMMM y')); w.p('AANKOMSTBERICHT',size=15,bold=True)
    w.p('Hierbij berichten wij u de aankomst van onderstaande zending met Ocean Network Express.')
    w.t([['B/L-nummer',d.num('bl_number',s.bl),'Huis-B/L',d.num('hbl_number',s.hbl)],['Schip',d.txt('vessel',s.ves),'Reisnummer',d.num('voyage',s.voy)],['Laadhaven',d.pl('port_of_lading',s.pol),'Loshaven',d.pl('port_of_discharge',s.pod)],['Verwachte aankomst',d.date('eta',s.eta),'Terminal',d.txt('terminal',s.term[0])],['Laatste vrije dag',d.date('last_free_day',s.eta+dt.timedelta(6)),'','']],head=None)
    w.t([['Container','Zegel','Type','Colli','Gewicht (kg)']]+d.rows('containers',s.con,lambda x:[d.num('number',x['no']),d.num('seal',x['seal']),d.size('size_type',x['sz'],1),d.qty('packages',x['k']),d.mass('gross_weight',x['w'],0,'')],None),head='D9E2F3'); w.p('Vrijstelling volgt na ontvangst van het originele cognossement en betaling van de kosten.\n\nMet vriendelijke groet,\nAfdeling import'); return d,w

@lay(P,J('VN','GB','CMA'),J('CN','CA','HMM'))
def an_word(s):
    d=dd('arrival_notice','lo-an-word',df='MMMM d, y'); d.put('scac',s.car['scac']); w=Wd('Roboto',9.5,16); d.cury={'GB':'GBP','CA':'CAD'}[s.d]
    w.p('Pre-Arrival Notice',size=22,color='C00000'); w.p('This is a courtesy notice. Not a delivery order.',italic=True)
    w.t([['^Notice date|'+d.date('issue_date',s.eta-dt.timedelta(6)),'^Bill of Lading|'+d.num('bl_number',s.bl),'^Carrier|'+s.car['name']],['^Vessel|'+d.txt('vessel',s.ves),'^Voyage|'+d.num('voyage',s.voy),'^ETA|'+d.date('eta',s.eta)],['^Load port|'+d.pl('port_of_lading',s.pol,'nc'),'^Discharge port|'+d.pl('port_of_discharge',s.pod,'nc'),'^Delivery|'+d.pl('place_of_delivery',s.dlv,'nc')],['^Terminal|'+d.txt('terminal',s.term[0]),'^Last free day|'+d.date('last_free_day',s.eta+dt.timedelta(5)),'']])
    w.t([['^Consignee|'+d.pa('consignee',s.cne),'^Notify party|'+d.pa('notify_party',s.ntf)]])
    w.t([['Container','Seal','Size/type','Packages','Gross (kg)','Volume (cbm)']]+d.rows('containers',s.con,lambda x:[d.num('number',x['no']),d.num('seal',x['seal']),d.size('size_type',x['sz'],2),d.qty('packages',x['k']),d.mass('gross_weight',x['w'],1,''),d.vol('volume',x['v'],2,'')],None),head='C00000',headcol='FFFFFF')
    w.t([['Local charges',d.cury]]+d.rows('charges',[('Destination terminal handling',s.r.randint(180,350)),('Delivery order fee',65),('Port infrastructure fee',s.r.randint(15,45))],lambda x:[d.txt('description',x[0]),d.mon('amount',x[1])],None),[3,1],right=(1,)); return d,w

@lay(P,J('KR','MX'),J('BR','ES'))
def do_es(s):
    d=dd('delivery_order','lo-do-es','es'); w=Wd('Lato',10,18)
    w.p('ORDEN DE ENTREGA / ENTRÉGUESE',size=17,bold=True,color='375623'); w.t([['N.º de orden',d.num('do_number','OE-'+dig(s.r,6)),'Fecha',d.date('issue_date',s.eta+dt.timedelta(2))]])
    w.p('A la terminal '+d.txt('terminal',s.term[0])+':'); w.p('Sírvanse entregar a '+'el transportista:\n'+d.pa('trucker',s.trk))
    w.p('la mercancía llegada en el buque:'); w.t([['Buque',d.txt('vessel',s.ves)],['Viaje',d.num('voyage',s.voy)],['B/L máster',d.num('bl_number',s.bl)],['B/L hijo',d.num('hbl_number',s.hbl)],['Clave de retiro',d.num('pickup_number',let(s.r,1)+dig(s.r,7))],['Entregar en',d.pa('deliver_to',s.cne)],['Devolver vacío en',d.txt('empty_return','Patio de vacíos Dos Caminos')],['Último día libre',d.date('last_free_day',s.eta+dt.timedelta(7))]],[1,2.5])
    w.t([['Contenedor','Tipo','Precinto','Bultos','Peso bruto (kg)']]+d.rows('containers',s.con,lambda x:[d.num('number',x['no']),d.size('size_type',x['sz'],2),d.num('seal',x['seal']),d.qty('packages',x['k']),d.mass('gross_weight',x['w'],2,'')],None),head='E2EFD9'); return d,w

@lay(P,J('CN','CA','OOCL'))
def do_word(s):
    d=dd('delivery_order','lo-do-letter',df='d MMMM y'); w=Wd('Liberation Serif',11,24,letter=True)
    w.p(s.fd[0]+'\n'+'\n'.join(s.fd[1])); w.p(d.date('issue_date',s.eta+dt.timedelta(1))); w.p('Delivery Order '+d.num('do_number','LG'+dig(s.r,6)),bold=True,size=13)
    w.p('To: '+d.txt('terminal',s.term[0])); w.p('Please deliver to the order of our carter, '+d.pa('trucker',s.trk,', ')+', the following goods ex '+d.txt('vessel',s.ves)+' voyage '+d.num('voyage',s.voy)+', ocean bill '+d.num('bl_number',s.bl)+'. Pick-up number '+d.num('pickup_number',dig(s.r,7))+'. Last free day is '+d.date('last_free_day',s.eta+dt.timedelta(5))+'.')
    w.t([['Container','Size','Seal','Pieces','Weight kg']]+d.rows('containers',s.con,lambda x:[d.num('number',x['no']),d.size('size_type',x['sz'],2),d.num('seal',x['seal']),d.qty('packages',x['k']),d.mass('gross_weight',x['w'],1,'')],None)); w.p('Final delivery:\n'+d.pa('deliver_to',s.cne)); w.p('Empty equipment goes back to: '+d.txt('empty_return','Lachine Empty Depot')); w.p('Yours truly,\n\n\nImport desk'); return d,w

@lay(P,J('DE','US','MAERSK'))
def bk_de(s):
    d=dd('booking_confirmation','lo-bk-de','de'); d.put('scac','MAEU'); t=s.etd; w=Wd('Carlito',10.5,20)
    w.p('Maersk Deutschland A/S & Co. KG',size=9); w.p('BUCHUNGSBESTÄTIGUNG',size=18,bold=True,color='0073AB')
    w.t([['Buchungsnummer',d.num('booking_number',s.bk),'Datum',d.date('issue_date',t-dt.timedelta(14))],['Kunde',s.shp[0],'Ihre Referenz',s.po],['Schiff',d.txt('vessel',s.ves),'Reise',d.num('voyage',s.voy)],['Ladehafen',d.pl('port_of_lading',s.pol),'Abfahrt (ETD)',d.date('etd',t)],['Löschhafen',d.pl('port_of_discharge',s.pod),'Ankunft (ETA)',d.date('eta',s.eta)],['Bestimmungsort',d.pl('place_of_delivery',s.dlv),'Ware',s.g['de']]],[1.3,2.2,1.2,2])
    w.t([['Anzahl','Containertyp','Leercontainer-Abholung']]+d.rows('equipment',sorted({x['sz'] for x in s.con}),lambda z:[d.qty('quantity',sum(x['sz']==z for x in s.con)),d.size('size_type',z,1),''],None)); w.p('Abholung Leerequipment: '+d.txt('empty_pickup','Depot Altenwerder West'))
    w.t([['Annahmeschluss','Datum','Uhrzeit']]+[[a,*d.date(k,t-dt.timedelta(n),time=h).split(' ')] for a,k,n,h in [('Versandinstruktion (SI)','si_cutoff',4,'12:00'),('VGM','vgm_cutoff',3,'10:00'),('Zoll (ATLAS-Ausfuhr)','customs_cutoff',2,'14:00'),('Anlieferung Vollcontainer','cy_cutoff',2,'16:00')]],head='CCE8F4'); return d,w

@lay(P,J('IN','GB','MSC'),J('BR','ES','CMA'))
def bk_word(s):
    d=dd('booking_confirmation','lo-bk-release',df='W'); d.put('scac',s.car['scac']); t=s.etd; w=Wd('Open Sans',9,18)
    w.p(s.car['ag'].upper()+' — BOOKING CONFIRMATION & EQUIPMENT RELEASE',size=13,bold=True); w.p('Booking: **'+d.num('booking_number',s.bk)+'**     Issued: '+d.date('issue_date',t-dt.timedelta(13))+'     Status: CONFIRMED')
    w.t([['Vessel / voyage',d.txt('vessel',s.ves)+' / '+d.num('voyage',s.voy)],['Origin',d.pl('place_of_receipt',s.por,'nc')],['Load port',d.pl('port_of_lading',s.pol,'nc')],['Discharge port',d.pl('port_of_discharge',s.pod,'nc')],['Destination',d.pl('place_of_delivery',s.dlv,'nc')],['Departure',d.date('etd',t)],['Arrival',d.date('eta',s.eta)],['Equipment',' / '.join(d.rows('equipment',sorted({x['sz'] for x in s.con}),lambda z:d.qty('quantity',sum(x['sz']==z for x in s.con))+' x '+d.size('size_type',z,5),None))],['Release depot',d.txt('empty_pickup',s.r.choice(['Speedy Multimode Yard','Seabird CFS Empty Park']))],['Documentation cut-off',d.date('si_cutoff',t-dt.timedelta(4),time='12:00')],['VGM cut-off',d.date('vgm_cutoff',t-dt.timedelta(3),time='08:00')],['Gate cut-off',d.date('cy_cutoff',t-dt.timedelta(2),time='18:00')]],[1,2.4]); w.p('Detention and storage are charged as per local tariff. Please quote the booking number at the depot.',size=7); return d,w

@lay(P,J('PT','US',lines=4),J('BR','DE',lines=3))
def ci_pt(s):
    d=dd('commercial_invoice','lo-ci-pt','pt'); d.cury=s.cur; w=Wd('Caladea',10,20)
    w.p(d.pa('seller',s.shp),bold=True); w.p('FATURA COMERCIAL',size=18,al='r'); w.t([['Fatura n.º',d.num('invoice_number',s.inv),'Data',d.date('issue_date',s.etd-dt.timedelta(3))],['Encomenda n.º',d.num('po_number',s.po),'Condições de entrega',d.code('incoterm',s.inc)+' '+s.pol[1]],['Moeda',d.code('currency',s.cur),'Condições de pagamento',d.txt('payment_terms','30 dias da data da fatura')]])
    w.p('Comprador:\n'+d.pa('buyer',s.cne))
    w.t([['Descrição','NC','Qtd.','Un.','Preço unit.','Valor']]+d.rows('lines',s.lines,lambda l:[d.txt('description',l['g']['pt']),d.num('hs_code',l['g']['hs']),d.qty('quantity',l['q']),d.txt('unit',l['g']['u']),d.mon('unit_price',l['p']),d.mon('amount',l['a'])],None)+[['TOTAL','','','','',d.mon('total',s.tot)]],[5,1.6,1.2,1.2,1.8,2.1],head='EEECE1',right=(2,4,5)); w.p('Mercadoria de origem declarada pelo exportador. Assinatura e carimbo:'); return d,w

@lay('calc',J('IT','US',lines=4))
def ci_it_calc(s):
    import openpyxl
    from openpyxl.styles import Font,Border,Side,PatternFill,Alignment
    d=D('commercial_invoice','lo-ci-it-calc','it',med='txt'); d.cury='EUR'; s.cur='EUR'
    wb=openpyxl.Workbook(); ws=wb.active; th=Side(style='thin'); 
    for c,wd in zip('ABCDEF',[42,16,12,9,14,16]): ws.column_dimensions[c].width=wd
    ws['A1']=d.pa('seller',s.shp,' – '); ws['A1'].font=Font(bold=True); ws['A3']='FATTURA COMMERCIALE'; ws['A3'].font=Font(size=16,bold=True)
    for r,(a,b) in enumerate([('Fattura n.',d.num('invoice_number',s.inv)),('Data',d.date('issue_date',s.etd-dt.timedelta(4))),('Ordine n.',d.num('po_number',s.po)),('Resa',d.code('incoterm',s.inc)+' '+s.pol[1]),('Pagamento',d.txt('payment_terms','Bonifico 60 giorni data fattura')),('Valuta',d.code('currency','EUR'))],5): ws.cell(r,1,a); ws.cell(r,2,b)
    ws['A12']='Cliente'; 
    for i,x in enumerate(d.pa('buyer',s.cne).split('\n')): ws.cell(13+i,1,x)
    r=18
    for j,h in enumerate(['Descrizione','Cod. doganale','Quantità','U.M.','Prezzo','Importo'],1): c=ws.cell(r,j,h); c.fill=PatternFill('solid',fgColor='CFE2F3'); c.font=Font(bold=True); c.border=Border(th,th,th,th)
    def row(l): return [d.txt('description',l['g']['it']),d.num('hs_code',l['g']['hs']),d.qty('quantity',l['q']),d.txt('unit',l['g']['u']),d.mon('unit_price',l['p']),d.mon('amount',l['a'])]
    for L in d.rows('lines',s.lines,row,None):
        r+=1
        for j,v in enumerate(L,1): c=ws.cell(r,j,v); c.border=Border(th,th,th,th); c.alignment=Alignment(horizontal='right' if j in(3,5,6) else 'left')
    ws.cell(r+1,5,'Totale EUR').font=Font(bold=True); c=ws.cell(r+1,6,d.mon('total',s.tot)); c.font=Font(bold=True); c.alignment=Alignment(horizontal='right')
    ws.page_setup.paperSize=9; ws.page_setup.orientation='landscape'; return d,wb

@lay(P,J('DE','MX',lines=3),J('DE','BR',lines=4))
def pl_de(s):
    d=dd('packing_list','lo-pl-de','de'); w=Wd('Liberation Sans',10,20); L=s.lines
    w.p(s.shp[0],bold=True,size=14); w.p(', '.join(s.shp[1]),size=8); w.p('\n'+s.cne[0]+'\n'+'\n'.join(s.cne[1])); w.p('Packliste '+d.num('packing_list_number','PL'+dig(s.r,5)),size=16,bold=True)
    w.p('Datum: '+d.date('issue_date',s.etd-dt.timedelta(3))+'    Rechnung: '+d.num('invoice_number',s.inv)+'    Bestellung: '+d.num('po_number',s.po))
    w.t([['Artikel','Menge','Packstücke','Netto kg','Brutto kg','cbm']]+d.rows('lines',L,lambda l:[d.txt('description',l['g']['de']),d.qty('quantity',l['q']),d.qty('packages',l['k']),d.mass('net_weight',l['nw'],1,''),d.mass('gross_weight',l['gw'],1,''),d.vol('volume',l['v'],3,'')],None),[4,1.2,1.5,1.5,1.5,1.3],head='D9D9D9',right=(1,2,3,4,5))
    w.t([['Packstücke gesamt',d.qty('packages',sum(l['k'] for l in L))],['Nettogewicht gesamt',d.mass('net_weight',sum(l['nw'] for l in L),1,' kg')],['Bruttogewicht gesamt',d.mass('gross_weight',sum(l['gw'] for l in L),1,' kg')],['Volumen gesamt',d.vol('volume',sum(l['v'] for l in L),3,' m³')]])
    w.p('Markierung:\n'+d.prose('marks',[s.cne[0].split()[0].upper(),s.pod[1].upper(),'Nr. 1 - %d'%sum(l['k'] for l in L)])); return d,w

@lay('calc',J('CN','US',lines=4))
def pl_calc(s):
    import openpyxl
    from openpyxl.styles import Font,Border,Side,Alignment
    d=D('packing_list','lo-pl-calc',med='txt',df='y/mm/dd'); L=s.lines; wb=openpyxl.Workbook(); ws=wb.active
    for c,wd in zip('ABCDEFG',[36,10,10,12,12,10,4]): ws.column_dimensions[c].width=wd
    ws.merge_cells('A1:F1'); ws['A1']=s.shp[0].upper(); ws['A1'].alignment=Alignment(horizontal='center'); ws['A1'].font=Font(size=14,bold=True)
    ws.merge_cells('A2:F2'); ws['A2']='DETAILED PACKING LIST'; ws['A2'].alignment=Alignment(horizontal='center')
    ws['A4']='Sold to: '+s.cne[0]; ws['A5']=', '.join(s.cne[1]); ws['D4']='Inv No:'; ws['E4']=d.num('invoice_number',s.inv); ws['D5']='Date:'; ws['E5']=d.date('issue_date',s.etd); ws['D6']='PO:'; ws['E6']=d.num('po_number',s.po)
    ws['A7']='Container: '+d.num('-',s.con[0]['no'])+'  Seal: '+s.con[0]['seal']; d.f['containers']=[{'number':s.con[0]['no'],'seal':re.sub('[^A-Z0-9]','',s.con[0]['seal'])}]
    r=9
    for j,h in enumerate(['DESCRIPTION','PCS','CTNS','N.W.(KG)','G.W.(KG)','CBM'],1): ws.cell(r,j,h).font=Font(bold=True)
    for row in d.rows('lines',L,lambda l:[d.txt('description',l['g']['en']),d.qty('quantity',l['q']),d.qty('packages',l['k']),d.mass('net_weight',l['nw'],1,''),d.mass('gross_weight',l['gw'],1,''),d.vol('volume',l['v'],3,'')],None)+[['TOTAL:','',d.qty('packages',sum(l['k'] for l in L)),d.mass('net_weight',sum(l['nw'] for l in L),1,''),d.mass('gross_weight',sum(l['gw'] for l in L),1,''),d.vol('volume',sum(l['v'] for l in L),3,'')]]:
        r+=1
        for j,v in enumerate(row,1): ws.cell(r,j,v)
    ws.page_setup.paperSize=9; ws.sheet_properties.pageSetUpPr=openpyxl.worksheet.properties.PageSetupProperties(fitToPage=True); ws.page_setup.fitToHeight=0; return d,wb

@lay(P,J('CN','NL'),J('US','PT'))
def ce_word(s):
    nl=s.d=='NL'; d=dd('customs_entry','lo-ce-'+s.d.lower(),s.d.lower()); w=Wd('DejaVu Sans',8.5,16)
    L=['AANGIFTE TEN INVOER','Aangiftenummer (MRN)','Datum aanvaarding','Datum aankomst','Importeur','Exporteur','Vertegenwoordiger','Vervoersdocument (cognossement)','Schip','Goederenomschrijving','Goederencode','Brutomassa (kg)','Factuurbedrag'] if nl else ['DECLARAÇÃO ADUANEIRA DE IMPORTAÇÃO','Número da declaração (MRN)','Data de aceitação','Data de chegada','Importador','Exportador','Declarante','Conhecimento de embarque','Navio','Designação das mercadorias','Código pautal','Massa bruta (kg)','Valor faturado']
    w.p(L[0],size=14,bold=True); w.t([[L[1],d.num('entry_number','26'+s.d+dig(s.r,12)+let(s.r,1)+dig(s.r,1))],[L[2],d.date('entry_date',s.eta+dt.timedelta(2))],[L[3],d.date('import_date',s.eta)],[L[4],d.pa('importer',s.cne)],[L[5],d.pa('-',s.shp)],[L[6],s.fd[0]],[L[7],d.num('bl_number',s.bl)],[L[8],s.ves],[L[9],d.gn(s.g)],[L[10],s.g['hs']+'00'],[L[11],d.n(s.tw,2)],[L[12],s.cur+' '+d.n(s.tot,2)]],[1,2]); return d,w

@lay(P,J('IN','US'))
def co_word(s):
    d=dd('certificate_of_origin','lo-co-declaration',df='MMMM d, y'); w=Wd('Liberation Serif',11,22)
    w.p('CERTIFICATE OF ORIGIN (NON-PREFERENTIAL)',al='c',bold=True,size=14); w.p('Chamber of Export Promotion, Certificate number '+d.num('certificate_number','NP/'+dig(s.r,4)+'/26'),al='c')
    w.p('This is to certify that the goods shipped by the exporter'); w.p(d.pa('exporter',s.shp),bold=True); w.p('to '+s.cne[0]+', '+', '.join(s.cne[1])+', as per invoice no. '+d.num('invoice_number',s.inv)+', are of the origin of '+d.txt('country_of_origin','India')+'.')
    w.t([['Goods','HS','Quantity','Gross weight']]+[[l['g']['en'],l['g']['hs'],d.n(l['q'])+' '+l['g']['u'],d.n(l['gw'],1)+' kg'] for l in s.lines]); w.p('Mumbai, '+d.date('issue_date',s.etd-dt.timedelta(2))+'\n\n\nAuthorised signatory'); return d,w

@lay(P,J('FR','US'),J('DE','IN'))
def co_eu(s):
    fr=s.o=='FR'; d=dd('certificate_of_origin','lo-co-eu-'+s.o.lower(),s.o.lower()); w=Wd('Liberation Sans',9.5,16); w.capcol='996600'
    A=['Expéditeur','Destinataire','Pays d’origine','CERTIFICAT D’ORIGINE','Union européenne - France','Facture n° ','Marques, numéros, nombre et nature des colis ; désignation des marchandises','Quantité','L’autorité soussignée certifie que les marchandises désignées ci-dessus sont originaires du pays figurant dans la case n° 3.','Remarques'] if fr else ['Absender','Empfänger','Ursprungsland','URSPRUNGSZEUGNIS','Europäische Union - Deutschland','Rechnung Nr. ','Laufende Nummer; Zeichen, Anzahl und Art der Packstücke; Warenbezeichnung','Menge','Die unterzeichnende Stelle bescheinigt, dass die oben bezeichneten Waren ihren Ursprung in dem in Feld 3 genannten Land haben.','Bemerkungen']
    w.p(A[3],size=18,bold=True,al='c',color='996600')
    w.t([['^1. '+A[0]+'|'+d.pa('exporter',s.shp),'Nr. ' .replace('Nr.','N°' if fr else 'Nr.')+d.num('certificate_number',let(s.r,2)+dig(s.r,6))],['^2. '+A[1]+'|'+d.pa('-',s.cne),'^3. '+A[2]+'|'+d.txt('country_of_origin',A[4])],['^4.|'+s.pol[1]+' – '+s.pod[1],'^5. '+A[9]+'|'+A[5]+d.num('invoice_number',s.inv)]])
    w.t([['^6. '+A[6]+'|'+'\n'.join('%d. %s'%(i,d.gn(l['g'])) for i,l in enumerate(s.lines,1)),'^7. '+A[7]+'|'+'\n'.join(d.n(l['gw'],1)+' kg' for l in s.lines)]],[3,1]); w.p('8. '+A[8]); w.p(('Chambre de commerce et d’industrie, le ' if fr else 'Industrie- und Handelskammer, ')+d.date('issue_date',s.etd-dt.timedelta(2))); return d,w

@lay(P,J('CN','FR','MSC'))
def fi_fr(s):
    d=dd('freight_invoice','lo-fi-fr','fr'); d.cury='EUR'; r=s.r; w=Wd('Carlito',11,20); d.put('currency','EUR')
    ch=[('Fret maritime',r.randint(1400,3600)),('THC',r.randint(190,250)),('Frais de dossier',70),('Surestaries',r.randint(2,6)*95)]; tot=sum(c[1] for c in ch)
    w.p(s.fd[0],bold=True,size=15,color='002060'); w.p(', '.join(s.fd[1]),size=9); w.p(s.cne[0]+'\n'+'\n'.join(s.cne[1]),al='r'); w.p('FACTURE DE FRET N° '+d.num('invoice_number','FF'+dig(r,6)),bold=True,size=14); w.p('Date : '+d.date('issue_date',s.eta+dt.timedelta(3))+'\nÉchéance : '+d.date('due_date',s.eta+dt.timedelta(33))+'\nConnaissement : '+d.num('bl_number',s.bl)+'\nNavire : '+s.ves+', '+s.pol[1]+' – '+s.pod[1])
    w.t([['Prestation','Montant EUR']]+[[a,d.n(b,2)] for a,b in ch]+[['Total à payer',d.mon('total',tot)+' €']],[3,1],head='D9E2F3',right=(1,)); w.p('Pas d’escompte pour paiement anticipé. Pénalités de retard : trois fois le taux d’intérêt légal.',size=8); return d,w

@lay(P,J('CN','AU','COSCO'),J('VN','CA','OOCL'))
def fi_word(s):
    d=dd('freight_invoice','lo-fi-statement',df='d-MMM-y'); d.cury={'AU':'AUD','CA':'CAD'}[s.d]; r=s.r; w=Wd('Open Sans',9,18); d.put('currency',d.cury)
    ch=[('OFR','Ocean Freight',r.randint(1800,4200)),('DTH','Terminal Handling Destination',r.randint(380,560)),('DOC','Import Documentation Fee',95),('CLN','Container Cleaning',65)]; tot=sum(c[2] for c in ch)
    w.t([[s.car['ag']+'\nTAX INVOICE',' Invoice: '+d.num('invoice_number',let(r,3)+dig(r,7))+'\n Date: '+d.date('issue_date',s.eta-dt.timedelta(1))+'\n Due: '+d.date('due_date',s.eta+dt.timedelta(13))]],size=12)
    w.p('Bill to: '+s.cne[0]+', '+', '.join(s.cne[1])); w.p('B/L '+d.num('bl_number',s.bl)+' | '+s.ves+' '+s.voy+' | '+s.pol[1]+' to '+s.pod[1]+' | '+', '.join(x['no'] for x in s.con))
    w.t([['Code','Charge','Basis','Amount ('+d.cury+')']]+[[a,b,'per B/L',d.n(c,2)] for a,b,c in ch],[1,4,2,2],head='E7E6E6',right=(3,)); w.p('Invoice total '+d.cury+' '+d.mon('total',tot),bold=True,al='r',size=12); return d,w

@lay(P,J('CN','GB'))
def ot_po(s):
    d=dd('other','lo-ot-po'); w=Wd('Carlito',11,20)
    w.p('PURCHASE ORDER',size=20,bold=True); w.p(s.cne[0]+'\n'+'\n'.join(s.cne[1])); w.p('PO number: '+s.po+'\nDate: '+d.date('-',s.etd-dt.timedelta(60))+'\nVendor: '+s.shp[0]+'\nShip by: '+d.date('-',s.etd)+'\nTerms: '+s.inc+' '+s.pol[1])
    w.t([['Item','Qty','Unit','Price '+s.cur,'Total']]+[[l['g']['en'],d.n(l['q']),l['g']['u'],d.n(l['p'],2),d.n(l['a'],2)] for l in s.lines]+[['','','','Order total',d.n(s.tot,2)]],[4,1,1,1.5,1.7],head='DDDDDD'); w.p('Please confirm acceptance within five working days. Our general purchasing conditions apply.'); return d,w

@lay(P,J('IT','US'))
def ot_ins_it(s):
    d=dd('other','lo-ot-polizza-ass','it'); w=Wd('Liberation Serif',11,22)
    w.p('CERTIFICATO DI ASSICURAZIONE MERCI TRASPORTATE',bold=True,size=14,al='c'); w.p('Compagnia Lagunare di Assicurazioni S.p.A. – Certificato n. 26/'+dig(s.r,6)); w.p('Assicurato: '+s.shp[0]+'\nSomma assicurata: '+s.cur+' '+d.n(round(s.tot*1.1),2)+'\nViaggio: da '+s.pol[1]+' a '+s.pod[1]+'\nNave: '+s.ves+'\nMerce: '+s.g['it']+'\nCondizioni: Institute Cargo Clauses (A), guerra e scioperi'); w.p('In caso di sinistro rivolgersi senza indugio al commissario d’avaria del luogo. Genova, '+d.date('-',s.etd)); return d,w

@lay(P,J('FR','US'))
def ot_letter_fr(s):
    d=dd('other','lo-ot-lettre','fr'); w=Wd('Caladea',11.5,25)
    w.p(s.shp[0]+'\n'+'\n'.join(s.shp[1])); w.p(s.car['ag']+'\nService clients',al='r'); w.p('Objet : réclamation – avarie conteneur '+s.con[0]['no']); w.p('Madame, Monsieur,\n\nÀ la livraison du conteneur cité en objet, chargé sur le navire '+s.ves+' à '+s.pol[1]+', notre client a constaté une mouille importante de la marchandise ('+s.g['fr'].lower()+'). Nous formulons toutes réserves et vous tenons pour responsables du préjudice, provisoirement estimé à 8 400 EUR.\n\nNous vous prions de bien vouloir désigner un expert dans les meilleurs délais.\n\nVeuillez agréer, Madame, Monsieur, nos salutations distinguées.'); w.p('Le '+d.date('-',s.eta+dt.timedelta(12),'d MMMM y')); return d,w
