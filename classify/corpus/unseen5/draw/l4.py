from lib import *
from l2 import charges, eq, cut, EP, CH
from l3 import lines, pll, fi, PT
def td(d): return dt.timedelta(d)
def te(x):
    for a,b in (('\\','\\textbackslash '),('&','\\&'),('%','\\%'),('#','\\#'),('_','\\_'),('$','\\$')): x=x.replace(a,b)
    return x.replace('"',"''")
NL='\n'
def TX(body,opt='10pt,a4paper',font='\\usepackage{helvet}\\renewcommand{\\familydefault}{\\sfdefault}',m='18mm'):
    return r'\documentclass['+opt+r']{article}\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}\usepackage[margin='+m+r']{geometry}\usepackage{array,longtable,tabularx}'+font+r'\pagestyle{empty}\setlength{\parindent}{0pt}\hyphenpenalty=10000\exhyphenpenalty=10000\begin{document}'+body+r'\end{document}'
def tp(p,k,c): return te(p.PA(k,c,'@@')).replace('@@',r'\newline ')
def tt(spec,head,rows,foot=None,long=False):
    e='longtable' if long else 'tabular'
    o=r'\begin{%s}{%s}\hline '%(e,spec)+' & '.join(r'\textbf{%s}'%h for h in head)+r'\\\hline '+(r'\endhead ' if long else '')
    o+=NL.join(' & '.join(te(str(x)) for x in r)+r'\\' for r in rows)+r'\hline '
    if foot: o+=' & '.join(r'\textbf{%s}'%te(str(x)) for x in foot)+r'\\\hline '
    return o+r'\end{%s}'%e
@L('tex-conline','bill_of_lading','tex',car='SMLU',o=['USMIA','PECLL','COCTG','CLSAI'],d=['USMIA','PECLL','COCTG','DEHAM'])
def _(s,p):
    p.f['scac']='SMLU'; p.CT(s.ctrs,'n s z p g')
    b=r'\begin{tabularx}{\textwidth}{|X|X|}\hline {\scriptsize Shipper}\newline '+tp(p,'shipper',s.shipper)+r' & {\Large\textbf{BILL OF LADING}}\newline B/L No. \textbf{'+p.N('bl_number',s.bl)+r'}\newline Reference No. '+s.inv+r'\\\hline {\scriptsize Consignee}\newline '+tp(p,'consignee',s.cnee)+r' & {\scriptsize Carrier}\newline SEABOARD MARINE LTD.\\\hline {\scriptsize Notify address}\newline '+tp(p,'notify_party',s.notify)+r' & {\scriptsize Booking No.}\newline '+p.N('booking_number',s.bk)+r'\\\hline {\scriptsize Vessel}\newline '+p.X('vessel',s.vsl)+r' \quad {\scriptsize Voyage} '+p.N('voyage',s.voy)+r' & {\scriptsize Port of loading}\newline '+p.PL('port_of_lading',s.pol)+r'\\\hline {\scriptsize Port of discharge}\newline '+p.PL('port_of_discharge',s.pod)+r' & {\scriptsize Place of delivery}\newline '+p.PL('place_of_delivery',s.dl)+r'\\\hline\end{tabularx}'
    b+=r'\par\medskip{\scriptsize Shipper\rq s description of goods}\par '+te(p.DESC('description',s.dsc+['HS '+s.hs],'@@')).replace('@@',r'\\ ')+r'\par\medskip '+tt('|l|l|l|r|r|',['Container','Seal','Type','Packages','Gross weight'],[[c.no,c.seal,SZ['q'][c.st],f'{c.pk} {s.pk}',n(c.gw,1)+' KGS'] for c in s.ctrs])
    b+=r'\vspace{40mm}\par '+p.FT(s)+r'\par\medskip{\scriptsize SHIPPED at the Port of Loading in apparent good order and condition on board the Vessel for carriage to the Port of Discharge or so near thereto as she may safely get the goods specified above. Weight, measure, quality, quantity, condition, contents and value unknown. IN WITNESS whereof the Master or Agent of the said Vessel has signed the number of Bills of Lading indicated below all of this tenor and date.}\par\medskip\begin{tabularx}{\textwidth}{|X|X|X|}\hline {\scriptsize Shipped on board}\newline '+p.D('on_board_date',s.etd,'dMy')+r' & {\scriptsize Number of original Bs/L}\newline '+p.Q('originals',3,pr='3 (three)')+r' & {\scriptsize Place and date of issue}\newline '+p.PL('issue_place',s.pol,'n')+' '+p.D('issue_date',s.iss,'dMy')+r'\\\hline\end{tabularx}'
    return TX(b)
@L('tex-swb','sea_waybill','tex',o=EUR,d=['USNYC','USBAL','CAHAL'],car='HLCU')
def _(s,p):
    p.f['scac']='HLCU'; p.CT(s.ctrs,'n s z p g v')
    b=r'\textbf{\Large Hapag-Lloyd}\hfill\textbf{\Large Sea Waybill}\par\hrule\medskip '+r'\begin{tabular}{p{35mm}p{125mm}}'
    for c,v in [('SWB-No.',p.N('bl_number',s.bl)),('Carrier\'s Reference',p.N('booking_number',D_(s.r,8))),('Shipper',tp(p,'shipper',s.shipper)),('Consignee',tp(p,'consignee',s.cnee)),('Notify Address',tp(p,'notify_party',s.notify)),('Vessel',p.X('vessel',s.vsl)),('Voyage-No.',p.N('voyage',s.voy)),('Port of Loading',p.PL('port_of_lading',s.pol)),('Port of Discharge',p.PL('port_of_discharge',s.pod)),('Goods',te(p.DESC('description',s.dsc,' '))),('Freight',p.FT(s,'{}'))]: b+=r'\textbf{'+c+'} & '+v+r'\\[2pt]'
    b+=r'\end{tabular}\par\medskip '+tt('lllrrr',['Container','Seal','Type','Packages','Gross kg','Measurement m\\textsuperscript{3}'],[[sp(c.no),c.seal,SZ['iso'][c.st],c.pk,n(c.gw,1),n(c.vol,2)] for c in s.ctrs])+r'\par\bigskip Shipped on board: '+p.D('on_board_date',s.etd,'dMy')+r'\par Place and date of issue: '+p.PL('issue_place',s.pol,'n').title()+', '+p.D('issue_date',s.iss,'dMy')
    return TX(b,font=r'\usepackage{lmodern}' if False else '')
@L('tex-ci','commercial_invoice','tex',o=ASIA+EUR)
def _(s,p):
    l,t=lines(s,p,'USD',po=True); inc=p.CODE('incoterm',s.r.choice(['FOB','CIF','CIP']))
    b=r'\begin{flushright}'+te(p.PA('seller',s.shipper,'@@')).replace('@@',r'\\ ')+r'\end{flushright}{\LARGE Invoice}\par\medskip\begin{tabular}{@{}ll}Invoice number & '+p.N('invoice_number',s.inv)+r'\\ Invoice date & '+p.D('issue_date',s.etd-td(5),'long')+r'\\ Purchase order & '+p.N('po_number',s.po)+r'\\ Terms of delivery & '+f'{inc} {PORTS[s.pol if inc=="FOB" else s.pod][0].title()}'+r'\\ Terms of payment & '+te(p.X('payment_terms',s.r.choice(PT)))+r'\end{tabular}\par\medskip\textbf{Buyer}\par '+te(p.PA('buyer',s.cnee,'@@')).replace('@@',r'\\ ')+r'\par\bigskip '+tt('>{\\raggedright}p{52mm}lrlrr',['Description','HS code','Quantity','Unit','Unit price USD','Amount USD'],[[a,h,n(q,0),u,n(up),n(am)] for a,h,q,u,up,am in l],['Total USD','','','','',n(t)])
    return TX(b,font=r'\usepackage{palatino}',m='22mm')
@L('tex-pl','packing_list','tex',o=EUR)
def _(s,p):
    l,T=pll(s,p,'qpngv')
    b=r'\textbf{'+te(s.shipper.name)+r'}\\'+te(s.shipper.addr)+r'\begin{center}\textbf{\Large PACKING LIST}\end{center}\begin{tabular}{lp{115mm}}Packing list no. & '+p.N('packing_list_number','PL-'+D_(s.r,6))+r'\\ Invoice no. & '+p.N('invoice_number',s.inv)+r'\\ Date & '+p.D('issue_date',s.etd-td(4),'dMy')+r'\\ Order no. & '+p.N('po_number',s.po)+r'\\ Consignee & '+te(s.cnee.name+', '+s.cnee.addr)+r'\end{tabular}\par\bigskip '+tt('>{\\raggedright}p{55mm}rrrrr',['Description','Quantity','Packages','Net kg','Gross kg','Vol. m\\textsuperscript{3}'],[[d,n(q,0),c,n(w,1),n(g,1),n(v,2)] for d,q,c,w,g,v in l],['Total','',T[0],n(T[1],1),n(T[2],1),n(T[3],2)])
    return TX(b,font='')
@L('tex-an','arrival_notice','tex',d=['GBFXT','GBSOU'],o=ASIA)
def _(s,p):
    p.f['scac']=s.sc; p.CT(s.ctrs,'n s z p g')
    b=r'\textbf{\large '+te(s.dfwd.name)+r'}\par '+te(s.dfwd.addr)+r'\par\bigskip\textbf{\Large Import Arrival Notice}\par\medskip\begin{tabularx}{\textwidth}{lXlX}Our ref. & '+p.N('notice_number','SI'+D_(s.r,6))+' & Date & '+p.D('issue_date',s.eta-td(4),'dMy')+r'\\ Shipping line & '+s.car.split(' MEDI')[0]+' & Ocean B/L & '+p.N('bl_number',s.bl)+r'\\ House B/L & '+p.N('hbl_number',s.hbl)+' & Vessel & '+p.X('vessel',s.vsl)+r'\\ Voyage & '+p.N('voyage',s.voy)+' & ETA & '+p.D('eta',s.eta,'dMy')+r'\\ Loaded at & '+p.PL('port_of_lading',s.pol,'n')+' & Discharged at & '+p.PL('port_of_discharge',s.pod,'n')+r'\\ Terminal & '+p.X('terminal',s.term)+r' & & \end{tabularx}\par\medskip\textbf{Consignee}\par '+te(p.PA('consignee',s.cnee,'@@')).replace('@@',r'\\ ')+r'\par\medskip '+tt('|l|l|l|l|r|',['Container','Seal','Type','Packages','Gross weight (kg)'],[[c.no,c.seal,SZ['n'][c.st],f'{c.pk} {s.pk}',n(c.gw,1)] for c in s.ctrs])+r'\par\medskip Goods: '+te(' '.join(s.dsc))
    R,t=charges(s,p,'GBP','en',['Terminal handling','Customs entry','Haulage','Documentation','Port security'],3)
    return TX(b+r'\par\medskip '+tt('lr',['Charge','GBP'],R,['Total',t])+r'\par\medskip All business is undertaken subject to the BIFA Standard Trading Conditions.')
@L('tex-bk','booking_confirmation','tex',o=['AUMEL','AUSYD','ZADUR','GBSOU'],d=['CNSHA','SGSIN','USNYC'])
def _(s,p):
    p.f['scac']=s.sc; q,st=eq(s,p)
    b=r'{\Large\textbf{BOOKING CONFIRMATION}}\par\medskip '+te(s.ofwd.name)+r'\par\bigskip\begin{tabular}{|p{45mm}|p{110mm}|}\hline '
    for c,v in [('Booking reference',p.N('booking_number',s.bk)),('Date',p.D('issue_date',s.etd-td(10),'d-M-y')),('Carrier',s.car),('Vessel / Voyage',p.X('vessel',s.vsl)+' / '+p.N('voyage',s.voy)),('Load port',p.PL('port_of_lading',s.pol)),('Discharge port',p.PL('port_of_discharge',s.pod)),('ETD',p.D('etd',s.etd,'d-M-y')),('ETA',p.D('eta',s.eta,'d-M-y')),('Equipment',f'{q} x {SZ["n"][st]}'),('Commodity',' '.join(s.dsc)),('Empty pick-up',p.X('empty_pickup',s.r.choice(EP))),('SI cut-off',p.D('si_cutoff',cut(s,5),'d-M-y','12:00')),('VGM cut-off',p.D('vgm_cutoff',cut(s,3),'d-M-y','16:00')),('FCL receival cut-off',p.D('cy_cutoff',cut(s,2),'d-M-y','20:00'))]: b+=c+' & '+te(v)+r'\\\hline '
    return TX(b+r'\end{tabular}')
@L('tex-fi','freight_invoice','tex',d=['GBFXT','NLRTM','BEANR'])
def _(s,p):
    R,t=fi(s,p,'EUR' if s.dc!='GB' else 'GBP','en',['Ocean freight','Terminal handling destination','Documentation fee','Haulage','ISPS','Customs clearance'],4); cu=p.f['currency']
    b=r'\textbf{\Large '+te(s.dfwd.name)+r'}\par '+te(s.dfwd.addr)+r'\par\bigskip '+te('@@'.join([s.cnee.name]+s.cnee.lines)).replace('@@',r'\\ ')+r'\par\bigskip\textbf{\large Freight Invoice}\par\begin{tabular}{@{}ll}Invoice no. & '+p.N('invoice_number','FI'+D_(s.r,6))+r'\\ Invoice date & '+p.D('issue_date',s.eta+td(1),'dMy')+r'\\ Payment due & '+p.D('due_date',s.eta+td(31),'dMy')+r'\\ Bill of lading & '+p.N('bl_number',s.bl)+r'\\ Vessel & '+s.vsl+r'\end{tabular}\par\bigskip '+tt('p{90mm}r',['Description','Amount '+cu],R,['Total '+cu,t])
    return TX(b,font=r'\usepackage{times}',m='24mm')
# ---------- docx
import docx
from docx.shared import Pt
def DX(): 
    d=docx.Document(); s=d.sections[0]; s.left_margin=s.right_margin=Pt(50); s.top_margin=s.bottom_margin=Pt(45); d.styles['Normal'].font.size=Pt(10); d.styles['Normal'].font.name='Liberation Sans'; d.styles['Normal'].paragraph_format.space_after=Pt(3); return d
def dt_(d,rows,head=None,style='Table Grid'):
    rows=([head] if head else [])+rows; t=d.add_table(len(rows),len(rows[0])); t.style=style
    for i,r in enumerate(rows):
        for j,x in enumerate(r):
            c=t.cell(i,j); c.text=str(x)
            for q in c.paragraphs:
                for ru in q.runs: ru.font.size=Pt(9); ru.bold=bool(head and i==0)
    d.add_paragraph(); return t
@L('docx-hbl','house_bill_of_lading','docx',o=ASIA,d=EUR)
def _(s,p):
    d=DX(); p.CT(s.ctrs,'n s z p g v'); d.add_heading(s.ofwd.name,1); d.add_paragraph('HOUSE BILL OF LADING (DRAFT FOR APPROVAL)')
    dt_(d,[['Shipper:\n'+p.PA('shipper',s.shipper,'\n'),'HBL No.:\n'+p.N('hbl_number',s.hbl)],['Consignee:\n'+p.PA('consignee',s.cnee,'\n'),'Master B/L No.:\n'+p.N('bl_number',s.bl)],['Notify party:\n'+p.PA('notify_party',s.notify,'\n'),'Vessel / Voyage:\n'+p.X('vessel',s.vsl)+' / '+p.N('voyage',s.voy)],['Port of loading:\n'+p.PL('port_of_lading',s.pol),'Port of discharge:\n'+p.PL('port_of_discharge',s.pod)]])
    dt_(d,[[c.no,c.seal,SZ['hq'][c.st],f'{c.pk} {s.pk}',n(c.gw,1)+' KGS',n(c.vol,2)+' CBM'] for c in s.ctrs],['Container','Seal','Type','Packages','Gross weight','Measurement'])
    d.add_paragraph('Description of goods:\n'+p.DESC('description',s.dsc+['HS CODE '+s.hs],'\n')); dt_(d,[['Freight: '+p.FT(s,'{}'),'Originals: '+p.Q('originals',3,pr='3 (three)'),'Place and date of issue: '+p.PL('issue_place',s.pol,'n')+', '+p.D('issue_date',s.iss,'dMy')]]); return d
@L('docx-do','delivery_order','docx')
def _(s,p):
    d=DX(); p.CT(s.ctrs,'n s z p'); tr=company(s.r,'US','INTERMODAL'); d.add_heading('Delivery Order',1)
    for a,b in [('Delivery order number',p.N('do_number','D'+D_(s.r,6))),('Date',p.D('issue_date',s.eta,'long')),('Trucker',p.PA('trucker',tr,', ')),('Terminal',p.X('terminal',s.term)),('Vessel',p.X('vessel',s.vsl)),('Voyage',p.N('voyage',s.voy)),('Ocean bill of lading',p.N('bl_number',s.bl)),('Last free day',p.D('last_free_day',s.eta+td(5),'long')),('Deliver to',p.PA('deliver_to',s.cnee,', ')),('Empty return',p.X('empty_return',s.r.choice(['TRAPAC EMPTY YARD','MATSON DEPOT','BAYONNE EMPTY DEPOT'])))]: q=d.add_paragraph(); q.add_run(a+': ').bold=True; q.add_run(b)
    dt_(d,[[c.no,c.seal,SZ['q'][c.st],str(c.pk)] for c in s.ctrs],['Container no.','Seal no.','Size/type','Packages']); d.add_paragraph('Please release the above container(s) to the trucker named. Charges are for the account of the consignee.'); return d
@L('docx-an','arrival_notice','docx',d=['NLRTM','BEANR','GBFXT'])
def _(s,p):
    d=DX(); p.CT(s.ctrs,'n z p g'); p.f['scac']=s.sc; d.add_paragraph(s.dfwd.name+'\n'+s.dfwd.addr); d.add_heading('Notice of Arrival',1); d.add_paragraph('Date: '+p.D('issue_date',s.eta-td(4),'dMy')); d.add_paragraph('To consignee:\n'+p.PA('consignee',s.cnee,'\n'))
    dt_(d,[['Shipping line',s.car],['Vessel',p.X('vessel',s.vsl)],['Voyage',p.N('voyage',s.voy)],['Bill of lading',p.N('bl_number',s.bl)],['Port of loading',p.PL('port_of_lading',s.pol)],['Port of discharge',p.PL('port_of_discharge',s.pod)],['ETA',p.D('eta',s.eta,'dMy')],['Terminal',p.X('terminal',s.term)]],style='Light Grid'); dt_(d,[[c.no,SZ['n'][c.st],c.pk,n(c.gw,1)] for c in s.ctrs],['Container','Type','Packages','Gross weight kg']); d.add_paragraph('Please arrange customs clearance and surrender the original bill of lading.'); return d
@L('docx-ci','commercial_invoice','docx',o=['TRMER','VNHPH','THLCH','PLGDN'])
def _(s,p):
    l,t=lines(s,p,'USD',3); d=DX(); d.add_paragraph(p.PA('seller',s.shipper,'\n')); d.add_heading('COMMERCIAL INVOICE',1); inc=p.CODE('incoterm',s.r.choice(['FOB','CFR']))
    dt_(d,[['Invoice No: '+p.N('invoice_number',s.inv),'Invoice Date: '+p.D('issue_date',s.etd-td(4),'dMy')],['Bill to:\n'+p.PA('buyer',s.cnee,'\n'),f'Delivery terms: {inc} {PORTS[s.pol if inc=="FOB" else s.pod][0]}\nPayment terms: '+p.X('payment_terms',s.r.choice(PT))+'\nPO No: '+p.N('po_number',s.po)]]); dt_(d,[[a,h,n(q,0),u,n(up),n(am)] for a,h,q,u,up,am in l]+[['TOTAL USD','','','','',n(t)]],['Description','HS code','Qty','Unit','Unit price (USD)','Amount (USD)']); d.add_paragraph('Authorised signature: ______________'); return d
@L('docx-co','certificate_of_origin','docx',o=['GBFXT','GBSOU'],d=['CNSHA','AEJEA','USNYC'])
def _(s,p):
    d=DX(); d.add_heading('CERTIFICATE OF ORIGIN',1); d.add_paragraph('Serial No. '+p.N('certificate_number','GB'+D_(s.r,7))); dt_(d,[['Consignor:\n'+p.PA('exporter',s.shipper,'\n'),'Country of origin:\n'+p.X('country_of_origin','United Kingdom')],['Consignee:\n'+'\n'.join([s.cnee.name]+s.cnee.lines),'Transport details:\n'+s.vsl+' from '+PORTS[s.pol][0]],['Description of goods:\n'+f'{s.tp} {s.pk}, '+' '.join(s.dsc),'Invoice number:\n'+p.N('invoice_number',s.inv)]]); d.add_paragraph('The undersigned authority certifies that the goods described above originate in the country shown.'); d.add_paragraph('Place and date of issue: Felixstowe, '+p.D('issue_date',s.etd-td(2),'dMy')); return d
@L('docx-bk','booking_confirmation','docx',o=['BRSSZ','BRPNG'],d=EUR+USP)
def _(s,p):
    d=DX(); p.f['scac']=s.sc; q,st=eq(s,p); d.add_heading('Confirmação de Reserva (Booking)',1); d.add_paragraph(s.ofwd.name)
    dt_(d,[['Número do booking',p.N('booking_number',s.bk)],['Data',p.D('issue_date',s.etd-td(12),'dmy/')],['Armador',s.car],['Navio / Viagem',p.X('vessel',s.vsl)+' / '+p.N('voyage',s.voy)],['Porto de embarque',p.PL('port_of_lading',s.pol,'n')],['Porto de destino',p.PL('port_of_discharge',s.pod,'n')],['ETD',p.D('etd',s.etd,'dmy/')],['ETA',p.D('eta',s.eta,'dmy/')],['Equipamento',f'{q} x {SZ["hq"][st]}'],['Retirada do vazio',p.X('empty_pickup',s.r.choice(['DEPOT ALEMOA','DEPOT CUBATAO']))],['Deadline draft (SI)',p.D('si_cutoff',cut(s,5),'dmy/','12:00')],['Deadline VGM',p.D('vgm_cutoff',cut(s,4),'dmy/','12:00')],['Deadline de carga',p.D('cy_cutoff',cut(s,3),'dmy/','18:00')]]); return d
# ---------- xlsx: fn(s,p,path)
import xlsxwriter
def XL(path,name='Sheet1'):
    w=xlsxwriter.Workbook(path); sh=w.add_worksheet(name); sh.set_paper(9); sh.fit_to_pages(1,0)
    F=dict(b=w.add_format({'bold':1}),t=w.add_format({'bold':1,'font_size':16,'align':'center'}),h=w.add_format({'bold':1,'border':1,'bg_color':'#DDDDDD','text_wrap':1,'valign':'top'}),c=w.add_format({'border':1,'valign':'top'}),w=w.add_format({'border':1,'text_wrap':1,'valign':'top'}),n0=w.add_format({'border':1,'num_format':'#,##0'}),n1=w.add_format({'border':1,'num_format':'#,##0.0'}),n2=w.add_format({'border':1,'num_format':'#,##0.00'}),n3=w.add_format({'border':1,'num_format':'#,##0.000'}),d=w.add_format({'num_format':'dd-mmm-yyyy','align':'left'}),di=w.add_format({'num_format':'yyyy-mm-dd','align':'left'}))
    return w,sh,F
@L('xlsx-ci','commercial_invoice','xlsx',o=ASIA)
def _(s,p,path):
    w,sh,F=XL(path,'INVOICE'); sh.set_row(11,32); l,t=lines(s,p,'USD',4); sh.set_column(0,0,34); sh.set_column(1,5,14); inc=p.CODE('incoterm',s.r.choice(['FOB','CIF']))
    sh.merge_range('A1:F1',s.shipper.name,F['t']); sh.merge_range('A2:F2',s.shipper.addr); p.PA('seller',s.shipper); sh.merge_range('A4:F4','COMMERCIAL INVOICE',F['t'])
    sh.merge_range('A6:C11','Buyer:\n'+p.PA('buyer',s.cnee,'\n'),F['w'])
    for i,(a,b) in enumerate([('Invoice No.',p.N('invoice_number',s.inv)),('Date',s.etd-td(4)),('PO No.',p.N('po_number',s.po)),('Terms',f'{inc} {PORTS[s.pol if inc=="FOB" else s.pod][0]}'),('Payment',p.X('payment_terms',s.r.choice(PT)))]):
        sh.write(5+i,3,a,F['b']); sh.write_datetime(5+i,4,dt.datetime.combine(b,dt.time()),F['d']) if isinstance(b,dt.date) else sh.write(5+i,4,b)
    p.D('issue_date',s.etd-td(4),'d-M-y')
    for j,h in enumerate(['Description of Goods','HS Code','Quantity','Unit','Unit Price (USD)','Amount (USD)']): sh.write(11,j,h,F['h'])
    for i,(a,h,q,u,up,am) in enumerate(l):
        r=12+i; sh.write(r,0,a,F['c']); sh.write_string(r,1,h,F['c']); sh.write(r,2,q,F['n0']); sh.write(r,3,u,F['c']); sh.write(r,4,up,F['n2']); sh.write_formula(r,5,f'=ROUND(C{r+1}*E{r+1},2)',F['n2'],am)
    r=12+len(l); sh.merge_range(r,0,r,4,'TOTAL',F['h']); sh.write_formula(r,5,f'=SUM(F13:F{r})',F['n2'],t); w.close()
@L('xlsx-pl','packing_list','xlsx',o=ASIA)
def _(s,p,path):
    w,sh,F=XL(path,'PACKING LIST'); sh.set_row(8,32); l,T=pll(s,p,'qpngv'); sh.set_column(0,0,36); sh.set_column(1,5,13); sh.merge_range('A1:F1',s.shipper.name,F['t']); sh.merge_range('A2:F2','PACKING LIST',F['t'])
    for i,(a,b) in enumerate([('Invoice No.:',p.N('invoice_number',s.inv)),('Date:',p.D('issue_date',s.etd-td(3),'Mdy')),('PO No.:',p.N('po_number',s.po)),('Consignee:',s.cnee.name)]): sh.write(3+i,0,a,F['b']); sh.write(3+i,1,b)
    for j,h in enumerate(['Description','Quantity ('+s.unit+')','Packages ('+s.pk+')','Net Weight (KG)','Gross Weight (KG)','Volume (CBM)']): sh.write(8,j,h,F['h'])
    for i,(d,q,c,nw,g,v) in enumerate(l):
        for j,(x,f) in enumerate([(d,'c'),(q,'n0'),(c,'n0'),(nw,'n1'),(g,'n1'),(v,'n2')]): sh.write(9+i,j,x,F[f])
    r=9+len(l); sh.write(r,0,'TOTAL',F['h']); sh.write(r,1,'',F['h'])
    for j,f in ((2,'n0'),(3,'n1'),(4,'n1'),(5,'n2')): sh.write_formula(r,j,f'=SUM({"ABCDEF"[j]}10:{"ABCDEF"[j]}{r})',F[f],T[j-2])
    for i,c in enumerate(s.ctrs): sh.write(r+2+i,0,'Container No. / Seal No.'); sh.write(r+2+i,1,c.no); sh.write(r+2+i,3,c.seal)
    p.f['containers']=[{'number':c.no,'seal':c.seal} for c in s.ctrs]; w.close()
@L('xlsx-an','arrival_notice','xlsx',inl=True)
def _(s,p,path):
    w,sh,F=XL(path,'Arrival'); sh.set_row(15,32); p.f['scac']=s.sc; p.CT(s.ctrs,'n s z p g v'); sh.set_column(0,6,18); sh.merge_range('A1:F1','ARRIVAL NOTICE',F['t']); sh.merge_range('A2:F2',s.dfwd.name)
    kv=[('Notice No.',p.N('notice_number','AN'+D_(s.r,6)),'Date',p.D('issue_date',s.eta-td(5),'d-M-y')),('Carrier',s.car,'Master B/L',p.N('bl_number',s.bl)),('Vessel',p.X('vessel',s.vsl),'Voyage',p.N('voyage',s.voy)),('Port of Loading',p.PL('port_of_lading',s.pol),'Port of Discharge',p.PL('port_of_discharge',s.pod)),('Place of Delivery',p.PL('place_of_delivery',s.dl),'ETA',p.D('eta',s.eta,'d-M-y')),('Terminal',p.X('terminal',s.term),'Last Free Day',p.D('last_free_day',s.eta+td(6),'d-M-y'))]
    for i,r in enumerate(kv):
        for j,x in enumerate(r): sh.write(3+i,j*1 if j<2 else j+1,x,F['b'] if j%2==0 else None)
    sh.merge_range('A11:C15','Consignee:\n'+p.PA('consignee',s.cnee,'\n'),F['w']); sh.merge_range('D11:F15','Notify Party:\n'+p.PA('notify_party',s.notify,'\n'),F['w'])
    for j,h in enumerate(['Container No.','Seal No.','Type','Packages','Gross Weight (KG)','Volume (CBM)']): sh.write(15,j,h,F['h'])
    for i,c in enumerate(s.ctrs):
        for j,(x,f) in enumerate([(c.no,'c'),(c.seal,'c'),(SZ['hq'][c.st],'c'),(c.pk,'n0'),(c.gw,'n1'),(c.vol,'n2')]): (sh.write_string if isinstance(x,str) else sh.write)(16+i,j,x,F[f])
    w.close()
@L('xlsx-fi','freight_invoice','xlsx',d=USP)
def _(s,p,path):
    w,sh,F=XL(path,'Invoice'); R,t=fi(s,p,'USD'); sh.set_column(0,0,34); sh.set_column(1,3,18); sh.merge_range('A1:D1',s.dfwd.name,F['t']); sh.merge_range('A2:D2',s.dfwd.addr); sh.merge_range('A3:D3','FREIGHT INVOICE',F['t'])
    for i,(a,b) in enumerate([('Invoice number',p.N('invoice_number','IN'+D_(s.r,6))),('Invoice date',p.D('issue_date',s.eta,'iso')),('Due date',p.D('due_date',s.eta+td(30),'iso')),('Bill of lading',p.N('bl_number',s.bl)),('Bill to',s.cnee.name),('Vessel',s.vsl)]): sh.write(4+i,0,a,F['b']); sh.write_string(4+i,1,b)
    sh.write(11,0,'Charge',F['h']); sh.write(11,1,'Amount USD',F['h']); R2=[(a,float(b.replace(',',''))) for a,b in R]
    for i,(a,b) in enumerate(R2): sh.write(12+i,0,a,F['c']); sh.write(12+i,1,b,F['n2'])
    r=12+len(R2); sh.write(r,0,'Total USD',F['h']); sh.write_formula(r,1,f'=SUM(B13:B{r})',F['n2'],float(t.replace(',',''))); w.close()
@L('xlsx-bk','booking_confirmation','xlsx',o=ASIA,d=USP)
def _(s,p,path):
    w,sh,F=XL(path,'Booking'); p.f['scac']=s.sc; q,st=eq(s,p); sh.set_column(0,1,30); sh.merge_range('A1:B1','BOOKING CONFIRMATION',F['t']); sh.merge_range('A2:B2',s.ofwd.name)
    for i,(a,b) in enumerate([('Booking No.',p.N('booking_number',s.bk)),('Issue Date',p.D('issue_date',s.etd-td(9),'d-M-y')),('Carrier',s.car),('Vessel',p.X('vessel',s.vsl)),('Voyage',p.N('voyage',s.voy)),('Port of Loading',p.PL('port_of_lading',s.pol)),('Port of Discharge',p.PL('port_of_discharge',s.pod)),('ETD',p.D('etd',s.etd,'d-M-y')),('ETA',p.D('eta',s.eta,'d-M-y')),('Equipment',f'{q} x {SZ["hq"][st]}'),('Empty Pick-up',p.X('empty_pickup',s.r.choice(EP))),('SI Cut-off',p.D('si_cutoff',cut(s,4),'d-M-y','12:00')),('VGM Cut-off',p.D('vgm_cutoff',cut(s,3),'d-M-y','12:00')),('CY Cut-off',p.D('cy_cutoff',cut(s,2),'d-M-y','17:00'))]): sh.write(3+i,0,a,F['h']); sh.write_string(3+i,1,b,F['c'])
    w.close()
@L('xlsx-do','delivery_order','xlsx',d=USP)
def _(s,p,path):
    w,sh,F=XL(path,'DO'); p.CT(s.ctrs,'n s z p g'); tr=company(s.r,'US','CARTAGE'); sh.set_column(0,5,18); sh.merge_range('A1:E1','DELIVERY ORDER',F['t'])
    for i,(a,b) in enumerate([('D/O No.',p.N('do_number','DO'+D_(s.r,7))),('Date',p.D('issue_date',s.eta+td(1),'d-M-y')),('Terminal',p.X('terminal',s.term)),('Last Free Day',p.D('last_free_day',s.eta+td(6),'d-M-y')),('Master B/L',p.N('bl_number',s.bl)),('Vessel',p.X('vessel',s.vsl)),('Voyage',p.N('voyage',s.voy)),('Empty Return',p.X('empty_return',s.r.choice(['EAST BASIN YARD','DEPOT 77'])))]): sh.write(2+i,0,a,F['b']); sh.merge_range(2+i,1,2+i,3,b)
    sh.merge_range('A12:B16','Trucker:\n'+p.PA('trucker',tr,'\n'),F['w']); sh.merge_range('C12:E16','Deliver To:\n'+p.PA('deliver_to',s.cnee,'\n'),F['w'])
    for j,h in enumerate(['Container No.','Seal No.','Size/Type','Packages','Gross Weight (KG)']): sh.write(16,j,h,F['h'])
    for i,c in enumerate(s.ctrs):
        for j,(x,f) in enumerate([(c.no,'c'),(c.seal,'c'),(SZ['iso'][c.st],'c'),(c.pk,'n0'),(c.gw,'n1')]): (sh.write_string if isinstance(x,str) else sh.write)(17+i,j,x,F[f])
    w.close()
# ---------- eml bodies: return (subject, text, html or None)
@L('eml-an','arrival_notice','eml',d=USP)
def _(s,p):
    p.f['scac']=s.sc; p.CT(s.ctrs,'n z p g')
    b=f'''ARRIVAL NOTICE

Date: {p.D('issue_date',s.eta-td(4),'dMy')}

Please be advised that the following shipment is due to arrive:

Carrier: {s.car}
Master B/L: {p.N('bl_number',s.bl)}
House B/L: {p.N('hbl_number',s.hbl)}
Vessel: {p.X('vessel',s.vsl)}
Voyage: {p.N('voyage',s.voy)}
Port of loading: {p.PL('port_of_lading',s.pol)}
Port of discharge: {p.PL('port_of_discharge',s.pod)}
ETA: {p.D('eta',s.eta,'dMy')}
Terminal: {p.X('terminal',s.term)}
FIRMS code: {p.N('firms_code',s.firms)}
Last free day: {p.D('last_free_day',s.eta+td(5),'dMy')}

Consignee:
{p.PA('consignee',s.cnee,chr(10))}

Containers:
'''+''.join(f'{c.no}  {SZ["hq"][c.st]}  {c.pk} {s.pk}  {n(c.gw,1)} KGS\n' for c in s.ctrs)+f'\nPlease forward the original bill of lading and arrange payment of the charges.\n\nKind regards,\nImport Department\n{s.dfwd.name}\n'
    return 'Arrival Notice '+s.bl,b,None
@L('eml-bk-html','booking_confirmation','eml',o=EUR+ASIA)
def _(s,p):
    p.f['scac']=s.sc; q,st=eq(s,p)
    h='<p>Dear customer,</p><p>Thank you for your booking. We confirm as follows:</p><h3>BOOKING CONFIRMATION</h3><table border="1" cellpadding="3">'+''.join(f'<tr><td><b>{a}</b></td><td>{b}</td></tr>' for a,b in [('Booking number',p.N('booking_number',s.bk)),('Confirmation date',p.D('issue_date',s.etd-td(9),'d-M-y')),('Carrier',s.car),('Vessel',p.X('vessel',s.vsl)),('Voyage',p.N('voyage',s.voy)),('Port of loading',p.PL('port_of_lading',s.pol)),('Port of discharge',p.PL('port_of_discharge',s.pod)),('ETD',p.D('etd',s.etd,'d-M-y')),('ETA',p.D('eta',s.eta,'d-M-y')),('Equipment',f'{q} x {SZ["q"][st]}'),('Empty pick-up',p.X('empty_pickup',s.r.choice(EP))),('SI cut-off',p.D('si_cutoff',cut(s,4),'d-M-y','12:00')),('VGM cut-off',p.D('vgm_cutoff',cut(s,3),'d-M-y','12:00')),('CY cut-off',p.D('cy_cutoff',cut(s,2),'d-M-y','16:00'))])+'</table><p>Best regards<br>Export Customer Service</p>'
    return 'Booking confirmation '+s.bk,None,h
@L('eml-do','delivery_order','eml')
def _(s,p):
    p.CT(s.ctrs,'n s z'); tr=company(s.r,'US','TRUCKING')
    b=f'''DELIVERY ORDER {p.N('do_number','DO'+D_(s.r,6))}
Issued: {p.D('issue_date',s.eta,'dMy')}

Trucker: {p.PA('trucker',tr,', ')}
Pick up at: {p.X('terminal',s.term)}
Pickup number: {p.N('pickup_number',D_(s.r,7))}
Last free day: {p.D('last_free_day',s.eta+td(5),'dMy')}
Deliver to: {p.PA('deliver_to',s.cnee,', ')}
Empty return: {p.X('empty_return',s.r.choice(['SOUTH GATE DEPOT','PACIFIC EMPTY YARD']))}
Vessel: {p.X('vessel',s.vsl)}   Voyage: {p.N('voyage',s.voy)}
B/L: {p.N('bl_number',s.bl)}

Container      Seal         Size
'''+''.join(f'{c.no}    {c.seal:<12} {SZ["hq"][c.st]}\n' for c in s.ctrs)+'\nPlease confirm receipt and the pick-up appointment.\n\nRegards\nDispatch\n'
    return 'Delivery order / '+s.ctrs[0].no,b,None
@L('eml-an-de','arrival_notice','eml',d=['DEHAM','DEBRV'])
def _(s,p):
    p.f['scac']=s.sc; p.CT(s.ctrs,'n z p g')
    b=f'''Ankunftsavis

Datum: {p.D('issue_date',s.eta-td(4),'dmy.')}

Sehr geehrte Damen und Herren,

folgende Sendung wird in Kürze eintreffen:

Reederei: {s.car}
B/L-Nr.: {p.N('bl_number',s.bl)}
Schiff: {p.X('vessel',s.vsl)}
Reise: {p.N('voyage',s.voy)}
Ladehafen: {p.PL('port_of_lading',s.pol,'n')}
Löschhafen: {p.PL('port_of_discharge',s.pod,'n')}
ETA: {p.D('eta',s.eta,'dmy.')}
Terminal: {p.X('terminal',s.term)}
Empfänger: {p.PA('consignee',s.cnee,', ')}

'''+''.join(f'Container {c.no} / {SZ["iso"][c.st]} / {c.pk} Colli / {n(c.gw,1,"de")} kg\n' for c in s.ctrs)+'\nBitte senden Sie uns die Verzollungsunterlagen.\n\nMit freundlichen Grüßen\nImportabteilung\n'
    return 'Ankunftsavis '+s.bl,b,None
@L('eml-fi-html','freight_invoice','eml',d=USP)
def _(s,p):
    R,t=fi(s,p,'USD',k=4)
    h=f'<h2>FREIGHT INVOICE</h2><p>Invoice number: {p.N("invoice_number","FI"+D_(s.r,6))}<br>Invoice date: {p.D("issue_date",s.eta,"Mdy")}<br>Due date: {p.D("due_date",s.eta+td(30),"Mdy")}<br>Bill of lading: {p.N("bl_number",s.bl)}<br>Bill to: {s.cnee.name}</p><table border="1"><tr><th>Charge</th><th>Amount (USD)</th></tr>'+''.join(f'<tr><td>{a}</td><td align="right">{b}</td></tr>' for a,b in R)+f'<tr><td><b>Total USD</b></td><td align="right"><b>{t}</b></td></tr></table><p>Please quote the invoice number with your remittance.</p>'
    return 'Freight invoice',None,h
