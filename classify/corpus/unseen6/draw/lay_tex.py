from reg import *
P='tex'
def fill(src,d,s,**k):
    env=dict(globals(),d=d,s=s,dt=dt,**k)
    def R(lst,items,t,join=''):
        def one(x): return re.sub(r'⟦(.*?)⟧',lambda m:str(eval(m[1],dict(env,x=x))),t,flags=re.S)
        return d.rows(lst,items,one,join) if lst else join.join(one(x) for x in items)
    env['R']=R
    return re.sub('«(.*?)»',lambda m:str(eval(m[1],env)),src,flags=re.S)
import sys as _s
def X(d,s,body,fonts='\\usepackage{lmodern}',geo='a4paper,margin=18mm',extra='',**k):
    k=dict(_s._getframe(1).f_locals,**k); k.pop('d',0); k.pop('s',0)
    head=r'\documentclass[10pt]{article}\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}\usepackage{textcomp}'+fonts+r'\usepackage['+geo+r']{geometry}\usepackage{array,tabularx,longtable,xcolor,booktabs,graphicx,multicol,colortbl}\DeclareUnicodeCharacter{20AC}{\texteuro}\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}\pagestyle{empty}\renewcommand{\arraystretch}{1.15}\newcommand{\cp}[1]{{\tiny\sffamily #1}\newline }'+extra+r'\begin{document}'
    return d,head+fill(body,d,s,**k)+r'\end{document}'
HV=r'\usepackage{helvet}\renewcommand{\familydefault}{\sfdefault}'
NL=r'\newline '
def pan(d,k,p,up=False): return d.pa(k,p,NL,up=up)

@lay(P,J('CN','US','YM'),J('IN','GB','HAPAG'))
def bl_tex(s):
    d=D('bill_of_lading','tx-bl-ruled',med='tex',df='d-MMM-y'); d.put('scac',s.car['scac'])
    return X(d,s,r'''{\Large\bfseries «d.e(s.car['name'])»}\hfill{\large BILL OF LADING}\\[2pt]{\scriptsize «d.e(', '.join(s.car['addr']))»}\hfill B/L No.: \textbf{«d.num('bl_number',s.bl)»}

\begin{tabularx}{\textwidth}{|p{.5\textwidth}|X|}\hline \cp{Shipper (Complete name and address)}«d.pa('shipper',s.shp,NL,up=True)» & \cp{Booking number}«d.num('booking_number',s.bk)»\newline\cp{Export references}S/O «s.r.randint(1000,9999)»\\\hline \cp{Consignee (not negotiable unless consigned to order)}«d.pa('consignee',s.cne,NL,up=True)» & \cp{Forwarding agent}«d.e(s.fo[0])»\\\hline \cp{Notify party (complete name and address)}«d.pa('notify_party',s.ntf,NL,up=True)» & \cp{Freight terms}FREIGHT «d.code('freight_terms',s.terms,s.terms.upper())»\newline\cp{Number of original B(s)/L}«d.qty('originals',3,show='THREE(3)')»\\\hline\end{tabularx}\vspace{-5pt}

\begin{tabularx}{\textwidth}{|X|X|X|}\hline \cp{Place of receipt}«d.pl('place_of_receipt',s.por,'NC')» & \cp{Ocean vessel}«d.txt('vessel',s.ves)» & \cp{Voyage}«d.num('voyage',s.voy)»\\\hline \cp{Port of loading}«d.pl('port_of_lading',s.pol,'NC')» & \cp{Port of discharge}«d.pl('port_of_discharge',s.pod,'NC')» & \cp{Place of delivery}«d.pl('place_of_delivery',s.dlv,'NC')»\\\hline\end{tabularx}

{\centering\scriptsize PARTICULARS AS DECLARED BY SHIPPER\par}
\begin{tabularx}{\textwidth}{XXXrr}\scriptsize Container / Seal & \scriptsize Type & \scriptsize Packages & \scriptsize Gross weight & \scriptsize Measurement\\\midrule
«R('containers',s.con,r"⟦d.num('number',x['no'])⟧ / ⟦d.num('seal',x['seal'])⟧ & ⟦d.size('size_type',x['sz'],2)⟧ & ⟦d.qty('packages',x['k'])⟧ ⟦s.pkg⟧ & ⟦d.mass('gross_weight',x['w'],3,' KGS')⟧ & ⟦d.vol('volume',x['v'],3,' M3')⟧\\ ")»\end{tabularx}

{\scriptsize Description of goods}\\ «d.prose('description',[g['en'].upper() for g in s.goods])»
\vspace{35mm}

\begin{tabularx}{\textwidth}{|X|X|X|}\hline\cp{Place of issue}«d.pl('issue_place',s.pol,'N')»&\cp{Date of issue}«d.date('issue_date',s.etd+dt.timedelta(1))»&\cp{Laden on board the vessel}«d.date('on_board_date',s.etd)»\\\hline\end{tabularx}

{\tiny\begin{multicols}{2}«' '.join(d.e(t) for t in TERMS_EN[:7])»\end{multicols}}''',HV)

@lay(P,J('DE','BR','HAPAG'))
def bl_de(s):
    d=D('bill_of_lading','tx-bl-seefrachtbrief','de',med='tex'); d.put('scac','HLCU')
    return X(d,s,r'''\begin{center}{\Huge\scshape Konnossement}\\[3pt]Hapag-Lloyd Aktiengesellschaft, Ballindamm 25, 20095 Hamburg\end{center}
\begin{tabular}{@{}p{40mm}p{120mm}@{}}\toprule Konnossement-Nr. & \textbf{«d.num('bl_number',s.bl)»}\\ Buchungs-Nr. & «d.num('booking_number',s.bk)»\\\midrule Ablader & «d.pa('shipper',s.shp,NL)»\\\midrule Empfänger & «d.pa('consignee',s.cne,NL)»\\\midrule Meldeadresse & «d.pa('notify_party',s.ntf,NL)»\\\midrule Seeschiff & «d.txt('vessel',s.ves)»\\ Reise-Nr. & «d.num('voyage',s.voy)»\\ Übernahmeort & «d.pl('place_of_receipt',s.por)»\\ Ladehafen & «d.pl('port_of_lading',s.pol)»\\ Löschhafen & «d.pl('port_of_discharge',s.pod)»\\ Ablieferungsort & «d.pl('place_of_delivery',s.dlv)»\\\bottomrule\end{tabular}

\medskip Ware laut Angabe des Abladers: «d.prose('description',[g['de'] for g in s.goods],', ') if 0 else d.prose('description',s.g['de'])»

\begin{tabular}{@{}lllrrr@{}}\toprule Container & Typ & Plombe & Packstücke & Bruttogewicht (kg) & Raummaß (m³)\\\midrule «R('containers',s.con,r"⟦d.num('number',x['no'])⟧ & ⟦d.size('size_type',x['sz'],2)⟧ & ⟦d.num('seal',x['seal'])⟧ & ⟦d.qty('packages',x['k'])⟧ & ⟦d.mass('gross_weight',x['w'],2,'')⟧ & ⟦d.vol('volume',x['v'],3,'')⟧\\ ")»\bottomrule\end{tabular}

\bigskip Fracht: «d.code('freight_terms',s.terms,{'prepaid':'vorausbezahlt (prepaid)','collect':'zahlbar am Bestimmungsort (collect)'}[s.terms])» \hfill Anzahl der Originale: «d.qty('originals',3,show='drei (3)')»

An Bord genommen am «d.date('on_board_date',s.etd)»\hfill Ausgestellt zu «d.pl('issue_place',s.pol)» am «d.date('issue_date',s.etd)»

\vfill{\footnotesize Der Verfrachter ist berechtigt, die Ware nur gegen Rückgabe eines ordnungsgemäß indossierten Originals auszuliefern. Ist ein Original erledigt, so sind die anderen ungültig.}''',r'\usepackage{mathptmx}',extra=r'\DeclareUnicodeCharacter{00B3}{\textthreesuperior}')

@lay(P,J('VN','CA'),J('KR','US'))
def hbl_tex(s):
    d=D('house_bill_of_lading','tx-hbl-typed',med='tex',df='MMM. dd, y')
    if s.seed and True: d.put('scac',s.car['scac'])
    return X(d,s,r'''\ttfamily\begin{center}\textbf{\Large «d.e(s.fo[0]).upper()»}\\«d.e(', '.join(s.fo[1]))»\\[4pt]OCEAN BILL OF LADING (HOUSE)\end{center}
HB/L NO: «d.num('hbl_number',s.hbl)»\hfill MB/L NO: «d.num('bl_number',s.bl)»\\CARRIER: «d.e(s.car['ag'].upper())»\hfill CARRIER CODE: «d.num('scac',s.car['scac'])»\\\rule{\textwidth}{.4pt}
\begin{minipage}[t]{.49\textwidth}\raggedright SHIPPER:\\«d.pa('shipper',s.shp,r'\\ ',up=True)»\\[6pt]CONSIGNEE:\\«d.pa('consignee',s.cne,r'\\ ',up=True)»\end{minipage}\hfill\begin{minipage}[t]{.49\textwidth}\raggedright NOTIFY:\\«d.pa('notify_party',s.ntf,r'\\ ',up=True)»\\[6pt]DELIVERY AGENT:\\«d.e(s.fd[0].upper())»\end{minipage}\\\rule{\textwidth}{.4pt}
VSL/VOY: «d.txt('vessel',s.ves)» / «d.num('voyage',s.voy)»\\POL: «d.pl('port_of_lading',s.pol,'NC')»\\POD: «d.pl('port_of_discharge',s.pod,'NC')»\\DEL: «d.pl('place_of_delivery',s.dlv,'NC')»\\\rule{\textwidth}{.4pt}
«d.prose('description',['%s'%g['en'].upper() for g in s.goods])»

\begin{tabular}{@{}lllll@{}}«R('containers',s.con,r"⟦d.num('number',x['no'])⟧ & ⟦d.num('seal',x['seal'])⟧ & ⟦d.size('size_type',x['sz'],0)⟧ & ⟦d.qty('packages',x['k'])⟧ ⟦s.pkg⟧ & ⟦d.mass('gross_weight',x['w'],2,'KG')⟧ ⟦d.vol('volume',x['v'],3,'CBM')⟧\\ ")»\end{tabular}

FREIGHT «d.code('freight_terms',s.terms,s.terms.upper())»\\SAY TOTAL «len(s.con)» CONTAINER(S) ONLY

\vspace{30mm}\rule{\textwidth}{.4pt}
NO. OF ORIGINALS: «d.qty('originals',3,show='3')»\hfill ISSUED AT «d.pl('issue_place',s.pol,'N')», «d.date('issue_date',s.etd)»\\ON BOARD DATE: «d.date('on_board_date',s.etd)»\hfill AS CARRIER: \rule{40mm}{.4pt}''',geo='letterpaper,margin=20mm')

@lay(P,J('FR','BR','CMA'))
def hbl_fr(s):
    d=D('house_bill_of_lading','tx-hbl-connaissement','fr',med='tex')
    return X(d,s,r'''\colorbox{blue!15}{\parbox{\dimexpr\textwidth-2\fboxsep}{\large\bfseries CONNAISSEMENT DE GROUPAGE (House B/L)\hfill n° «d.num('hbl_number',s.hbl)»}}

Émis par «d.e(s.fo[0])», commissionnaire de transport, «d.e(', '.join(s.fo[1]))»

\begin{tabularx}{\textwidth}{|X|X|}\hline\cp{CHARGEUR}«d.pa('shipper',s.shp,NL)»&\cp{DESTINATAIRE}«d.pa('consignee',s.cne,NL)»\\\hline\cp{À NOTIFIER}«d.pa('notify_party',s.ntf,NL)»&\cp{NAVIRE / VOYAGE}«d.txt('vessel',s.ves)» / «d.num('voyage',s.voy)»\newline\cp{FRET}«d.code('freight_terms',s.terms,{'prepaid':'Port payé (prepaid)','collect':'Port dû (collect)'}[s.terms])»\\\hline\end{tabularx}
\begin{tabularx}{\textwidth}{|X|X|X|X|}\hline\cp{LIEU DE RÉCEPTION}«d.pl('place_of_receipt',s.por)»&\cp{PORT D'EMBARQUEMENT}«d.pl('port_of_lading',s.pol)»&\cp{PORT DE DÉBARQUEMENT}«d.pl('port_of_discharge',s.pod)»&\cp{LIEU DE LIVRAISON}«d.pl('place_of_delivery',s.dlv)»\\\hline\end{tabularx}

«R('containers',s.con,r"\textbf{⟦d.num('number',x['no'])⟧} (⟦d.size('size_type',x['sz'],2)⟧), plomb ⟦d.num('seal',x['seal'])⟧ : ⟦d.qty('packages',x['k'])⟧ ⟦d.pkn(s).lower()⟧, poids brut ⟦d.mass('gross_weight',x['w'],2,' kg')⟧, volume ⟦d.vol('volume',x['v'],2,' m3')⟧\par ")»
Nature de la marchandise : «d.prose('description',s.g['fr'])»

\vspace{40mm}Nombre d'originaux : «d.qty('originals',3,show='trois (3)')»\\Fait à «d.pl('issue_place',s.pol)», le «d.date('issue_date',s.etd,'d MMMM y')»\\Chargé à bord le «d.date('on_board_date',s.etd,'d MMMM y')»''')

@lay(P,J('DE','US','HAPAG'))
def swb_de(s):
    d=D('sea_waybill','tx-swb-de','de',med='tex'); d.put('scac','HLCU')
    return X(d,s,r'''{\color{orange!90!black}\rule{\textwidth}{5pt}}\\{\Large\bfseries SEEFRACHTBRIEF}\hfill (Sea Waybill — nicht begebbar)\\Frachtführer: Hapag-Lloyd AG\hfill SWB-Nr.: «d.num('bl_number',s.bl)»

\begin{tabularx}{\textwidth}{|X|X|}\hline\cp{Absender}«d.pa('shipper',s.shp,NL)»&\cp{Buchungsreferenz}«d.num('booking_number',s.bk)»\\\hline\cp{Empfänger}«d.pa('consignee',s.cne,NL)»&\cp{Zu benachrichtigen}«d.pa('notify_party',s.ntf,NL)»\\\hline\cp{Schiff}«d.txt('vessel',s.ves)»&\cp{Reise}«d.num('voyage',s.voy)»\\\hline\cp{Ladehafen}«d.pl('port_of_lading',s.pol,'l')»&\cp{Löschhafen}«d.pl('port_of_discharge',s.pod,'l')»\\\hline\end{tabularx}

\begin{tabularx}{\textwidth}{|X|l|l|r|r|}\hline\rowcolor{orange!20}Container / Siegel&Typ&Packstücke&Gewicht&Volumen\\\hline «R('containers',s.con,r"⟦d.num('number',x['no'])⟧ / ⟦d.num('seal',x['seal'])⟧&⟦d.size('size_type',x['sz'],1)⟧&⟦d.qty('packages',x['k'])⟧ ⟦d.pkn(s)⟧&⟦d.mass('gross_weight',x['w'],1,' kg')⟧&⟦d.vol('volume',x['v'],3,' m3')⟧\\\hline ")»\end{tabularx}

Bezeichnung der Güter:\\«d.prose('description',[g['de'] for g in s.goods])»

Frachtvermerk: «d.code('freight_terms',s.terms,'Freight '+s.terms)»

\vspace{30mm}Ort und Tag der Ausstellung: «d.pl('issue_place',s.pol)», «d.date('issue_date',s.etd+dt.timedelta(1))»\\An Bord seit: «d.date('on_board_date',s.etd)»''',HV)

@lay(P,J('CN','AU','YM'),J('ID','GB','COSCO'))
def swb_tex(s):
    d=D('sea_waybill','tx-swb-express',med='tex',df='dd MMM y'); d.put('scac',s.car['scac'])
    return X(d,s,r'''\textbf{\large «d.e(s.car['name'])»}\\ \textsc{Express sea waybill} — not a document of title

\begin{tabular}{@{}>{\bfseries}l@{\hspace{8mm}}p{115mm}@{}}Waybill number&«d.num('bl_number',s.bl)»\\Booking&«d.num('booking_number',s.bk)»\\Consignor&«d.pa('shipper',s.shp,NL)»\\Consignee&«d.pa('consignee',s.cne,NL)»\\Notify&«d.pa('notify_party',s.ntf,NL)»\\Ship, voyage&«d.txt('vessel',s.ves)», «d.num('voyage',s.voy)»\\Loaded at&«d.pl('port_of_lading',s.pol,'nc')»\\Discharged at&«d.pl('port_of_discharge',s.pod,'nc')»\\Freight&«d.code('freight_terms',s.terms,s.terms.capitalize())»\\Cargo&«d.prose('description',[g['en'] for g in s.goods],NL)»\\\end{tabular}

\medskip\begin{tabularx}{\textwidth}{XXXXXX}\toprule Unit&Seal&Type&Packages&Weight (kg)&Cube (m$^3$)\\\midrule «R('containers',s.con,r"⟦d.num('number',x['no'])⟧&⟦d.num('seal',x['seal'])⟧&⟦d.size('size_type',x['sz'],3)⟧&⟦d.qty('packages',x['k'])⟧&⟦d.mass('gross_weight',x['w'],1,'')⟧&⟦d.vol('volume',x['v'],2,'')⟧\\ ")»\bottomrule\end{tabularx}

Shipped on board «d.date('on_board_date',s.etd)». Issued at «d.pl('issue_place',s.pol)» on «d.date('issue_date',s.etd+dt.timedelta(2))».''',r'\usepackage{palatino}')

@lay(P,J('IN','US','ZIM'))
def an_tex(s):
    d=D('arrival_notice','tx-an-memo',med='tex',df='W'); d.put('scac',s.car['scac']); d.cury='USD'
    return X(d,s,r'''\fbox{\parbox{.97\textwidth}{\centering\bfseries\large CARGO ARRIVAL NOTIFICATION}}

\begin{tabularx}{\textwidth}{lXlX}Ref.&«d.num('notice_number','N'+dig(s.r,6))»&Date&«d.date('issue_date',s.eta-dt.timedelta(4))»\\Line&«d.e(s.car['ag'])»&B/L&«d.num('bl_number',s.bl)»\\Vessel&«d.txt('vessel',s.ves)»&Voyage&«d.num('voyage',s.voy)»\\From&«d.pl('port_of_lading',s.pol)»&To&«d.pl('port_of_discharge',s.pod)»\\ETA&«d.date('eta',s.eta)»&Free until&«d.date('last_free_day',s.eta+dt.timedelta(6))»\\Terminal&«d.txt('terminal',s.term[0])»&FIRMS&«d.num('firms_code',s.term[1])»\end{tabularx}

\textbf{Consignee}\\«d.pa('consignee',s.cne)»

\textbf{Notify}\\«d.pa('notify_party',s.ntf)»

\begin{tabularx}{\textwidth}{|X|l|l|r|r|}\hline Container&Seal&Size&Pkgs&Weight\\\hline «R('containers',s.con,r"⟦d.num('number',x['no'])⟧&⟦d.num('seal',x['seal'])⟧&⟦d.size('size_type',x['sz'],2)⟧&⟦d.qty('packages',x['k'])⟧&⟦d.mass('gross_weight',x['w'],None,' lbs','lb')⟧\\ ")»\hline\end{tabularx}

Amounts due before release:\\\begin{tabular}{lr}«R('charges',[('Ocean freight',s.r.randint(1500,3900)),('Handover fee',95),('Bonded warehouse entry',140)],r"⟦d.txt('description',x[0])⟧&\$⟦d.mon('amount',x[1])⟧\\ ")»\end{tabular}''',HV,'letterpaper,margin=22mm')

@lay(P,J('CN','FR','CMA'))
def an_fr(s):
    d=D('arrival_notice','tx-an-fr','fr',med='tex'); d.put('scac','CMDU')
    return X(d,s,r'''{\Large CMA CGM}\hfill Le Havre, le «d.date('issue_date',s.eta-dt.timedelta(5),'d MMMM y')»\\\rule{\textwidth}{1pt}
\hspace*{.5\textwidth}\parbox{.5\textwidth}{«d.pa('consignee',s.cne)»}

\textbf{Objet : AVIS D'ARRIVÉE n° «d.num('notice_number','AA'+dig(s.r,6))»}

Madame, Monsieur,\par Nous vous informons de l'arrivée prochaine de la marchandise suivante, dont vous êtes destinataire :

\begin{tabular}{|l|l|}\hline Connaissement&«d.num('bl_number',s.bl)»\\\hline Navire&«d.txt('vessel',s.ves)»\\\hline Voyage&«d.num('voyage',s.voy)»\\\hline Port de chargement&«d.pl('port_of_lading',s.pol)»\\\hline Port de déchargement&«d.pl('port_of_discharge',s.pod)»\\\hline Arrivée prévue (ETA)&«d.date('eta',s.eta)»\\\hline Terminal&«d.txt('terminal',s.term[0])»\\\hline Fin de franchise&«d.date('last_free_day',s.eta+dt.timedelta(7))»\\\hline\end{tabular}

\begin{tabular}{llrrr}\toprule Conteneur&Plomb&Colis&Poids (kg)&Volume (m3)\\\midrule «R('containers',s.con,r"⟦d.num('number',x['no'])⟧&⟦d.num('seal',x['seal'])⟧&⟦d.qty('packages',x['k'])⟧&⟦d.mass('gross_weight',x['w'],2,'')⟧&⟦d.vol('volume',x['v'],2,'')⟧\\ ")»\bottomrule\end{tabular}

Le bon à délivrer vous sera remis contre l'original du connaissement et le règlement des frais locaux.\par Veuillez agréer, Madame, Monsieur, nos salutations distinguées.''',r'\usepackage{mathptmx}',geo='a4paper,margin=24mm')

@lay(P,J('CN','IT'),J('BR','PT'))
def do_tex(s):
    it=s.d=='IT'; d=D('delivery_order','tx-do-'+('it' if it else 'pt'),s.d.lower(),med='tex')
    w=dict(zip('t n d v y tr dl te er lf cs h'.split(),('BUONO DI CONSEGNA|Buono n.|Data|Motonave|Viaggio|Vettore stradale|Consegnare a|Terminal|Riconsegna vuoto|Sosta gratuita fino al|Polizza di carico|Contenitore&Tipo&Sigillo&Colli&Peso lordo' if it else 'ORDEM DE ENTREGA|Ordem n.º|Data|Navio|Viagem|Transportador rodoviário|Entregar a|Terminal|Devolução do vazio|Estadia livre até|Conhecimento de embarque|Contentor&Tipo&Selo&Volumes&Peso bruto').split('|')))
    return X(d,s,r'''\begin{center}{\LARGE\bfseries «w['t']»}\\ «d.e(s.fd[0])» — «d.e(', '.join(s.fd[1]))»\end{center}
\begin{tabularx}{\textwidth}{|l|X|}\hline «w['n']»&«d.num('do_number','DO/'+dig(s.r,5)+'/26')»\\\hline «w['d']»&«d.date('issue_date',s.eta+dt.timedelta(1))»\\\hline «w['cs']»&«d.num('bl_number',s.bl)»\\\hline «w['v']»&«d.txt('vessel',s.ves)»\\\hline «w['y']»&«d.num('voyage',s.voy)»\\\hline «w['tr']»&«d.pa('trucker',s.trk,NL)»\\\hline «w['dl']»&«d.pa('deliver_to',s.cne,NL)»\\\hline «w['te']»&«d.txt('terminal',s.term[0])»\\\hline «w['er']»&«d.txt('empty_return','Depot Multedo' if it else 'Parque de vazios da Bobadela')»\\\hline «w['lf']»&«d.date('last_free_day',s.eta+dt.timedelta(6))»\\\hline\end{tabularx}

\begin{tabularx}{\textwidth}{|X|X|X|X|X|}\hline\rowcolor{black!12}«w['h']»\\\hline «R('containers',s.con,r"⟦d.num('number',x['no'])⟧&⟦d.size('size_type',x['sz'],1)⟧&⟦d.num('seal',x['seal'])⟧&⟦d.qty('packages',x['k'])⟧ ⟦d.pkn(s)⟧&⟦d.mass('gross_weight',x['w'],2,' kg')⟧\\\hline ")»\end{tabularx}''',w=w)

@lay(P,J('CN','US','ZIM'),J('KR','GB','HMM'))
def bk_tex(s):
    d=D('booking_confirmation','tx-bk-acknowledge',med='tex',df='ddMMMyy'); t=s.etd; d.put('scac',s.car['scac'])
    return X(d,s,r'''\textbf{\Large «d.e(s.car['ag'])»}\hfill\textbf{BOOKING ACKNOWLEDGEMENT}\\\rule{\textwidth}{2pt}
BKG NO \textbf{«d.num('booking_number',s.bk)»}\hfill DATE «d.date('issue_date',t-dt.timedelta(15))»\\ TO: «d.e(s.shp[0])»\\ ATTN: Export department

\begin{tabularx}{\textwidth}{lXlX}VESSEL:&«d.txt('vessel',s.ves)»&VOY:&«d.num('voyage',s.voy)»\\POL:&«d.pl('port_of_lading',s.pol,'L')»&ETD:&«d.date('etd',t)»\\POD:&«d.pl('port_of_discharge',s.pod,'L')»&ETA:&«d.date('eta',s.eta)»\\DEL:&«d.pl('place_of_delivery',s.dlv,'L')»&CMDTY:&«d.e(s.g['en'].upper())»\end{tabularx}

EQUIPMENT: «R('equipment',sorted({x['sz'] for x in s.con}),r"⟦d.qty('quantity',sum(c['sz']==x for c in s.con))⟧X⟦d.size('size_type',x,0)⟧",' + ')»\\ EMPTY PICK-UP: «d.txt('empty_pickup',s.r.choice(['Oakfield Container Services','Sunrise Depot No. 2']))»

\begin{tabular}{|l|l|}\hline SI CUT-OFF&«d.date('si_cutoff',t-dt.timedelta(4),time='09:00')»\\\hline VGM CUT-OFF&«d.date('vgm_cutoff',t-dt.timedelta(3),time='15:00')»\\\hline CUSTOMS CUT-OFF&«d.date('customs_cutoff',t-dt.timedelta(3),time='17:00')»\\\hline CY CUT-OFF&«d.date('cy_cutoff',t-dt.timedelta(2),time='22:00')»\\\hline\end{tabular}

{\footnotesize Failing receipt of shipping instructions by the above time the cargo may be rolled. Rates as per agreement.}''',HV)

@lay(P,J('DE','CN',lines=4),J('DE','US',lines=3))
def ci_de(s):
    d=D('commercial_invoice','tx-ci-handelsrechnung','de',med='tex'); d.cury='EUR'; s.cur='EUR'
    return X(d,s,r'''\textbf{\large «d.pa('seller',s.shp,r'\\ \normalfont\small ')»}\par\vspace{12mm}\begin{minipage}[t]{.55\textwidth}{\tiny Rechnungsempfänger}\\«d.pa('buyer',s.cne)»\end{minipage}\begin{minipage}[t]{.45\textwidth}\begin{tabular}{ll}Rechnungs-Nr.&«d.num('invoice_number','RE-'+dig(s.r,6))»\\Datum&«d.date('issue_date',s.etd-dt.timedelta(4))»\\Bestell-Nr.&«d.num('po_number',s.po)»\\Lieferbedingung&«d.code('incoterm',s.inc)» «d.e(s.pol[1])»\end{tabular}\end{minipage}

\vspace{10mm}\textbf{\Large Handelsrechnung}

\begin{tabularx}{\textwidth}{@{}rXlrrr@{}}\toprule Pos.&Bezeichnung&Zolltarif-Nr.&Menge&Preis&Betrag\\\midrule «R('lines',list(enumerate(s.lines,1)),r"⟦x[0]⟧&⟦d.txt('description',x[1]['g']['de'])⟧&⟦d.num('hs_code',x[1]['g']['hs'])⟧&⟦d.qty('quantity',x[1]['q'])⟧ ⟦x[1]['g']['u']⟧&⟦d.mon('unit_price',x[1]['p'])⟧&⟦d.mon('amount',x[1]['a'])⟧\\ ")»\midrule&\textbf{Gesamtbetrag «d.code('currency','EUR')»}&&&&\textbf{«d.mon('total',s.tot)»}\\\bottomrule\end{tabularx}

Zahlungsbedingungen: «d.txt('payment_terms','30 Tage netto')»\\Steuerfreie Ausfuhrlieferung gemäß § 4 Nr. 1a UStG.\\Ursprung der Waren: Europäische Gemeinschaft.''',HV)

@lay('xetex',J('CN','US',lines=4),J('CN','DE',lines=3))
def ci_zh(s):
    d=D('commercial_invoice','tx-ci-zh','zh',med='tex',df='zh'); d.cury='USD'; s.cur='USD'; d.put('currency','USD')
    src=fill(r'''\documentclass[10pt]{article}\usepackage{fontspec}\setmainfont{WenQuanYi Micro Hei}\XeTeXlinebreaklocale "zh"\usepackage[a4paper,margin=18mm]{geometry}\usepackage{tabularx,array}\setlength{\parindent}{0pt}\pagestyle{empty}\renewcommand{\arraystretch}{1.3}\begin{document}
\begin{center}{\large «d.pa('seller',s.shp,r'\\ \small ')»}\\[8pt]{\LARGE 商业发票}\\{\large COMMERCIAL INVOICE}\end{center}
\begin{tabularx}{\textwidth}{lXll}买方 To:&«d.pa('buyer',s.cne,NL)»&发票号码 Invoice No.:&«d.num('invoice_number',s.inv)»\\&&日期 Date:&«d.date('issue_date',s.etd-dt.timedelta(5))»\\&&订单号 P/O No.:&«d.num('po_number',s.po)»\end{tabularx}

起运港 From: «d.e(s.pol[1])»\quad 目的港 To: «d.e(s.pod[1])»\quad 付款方式 Payment: «d.txt('payment_terms','L/C AT SIGHT')»

\begin{tabularx}{\textwidth}{|X|l|r|r|r|}\hline 货物名称及规格 Description&税号 HS&数量 Quantity&单价 Unit Price&金额 Amount\\\hline \multicolumn{5}{|r|}{«d.code('incoterm',s.inc)» «d.e((s.pol if s.inc in ('FOB','FCA','EXW') else s.pod)[1].upper())»\quad USD}\\\hline «R('lines',s.lines,r"⟦d.txt('description',x['g']['zh'])⟧&⟦d.num('hs_code',x['g']['hs'])⟧&⟦d.qty('quantity',x['q'])⟧ ⟦d.txt('unit',x['g']['u'])⟧&⟦d.mon('unit_price',x['p'])⟧&⟦d.mon('amount',x['a'])⟧\\\hline ")»\multicolumn{4}{|r|}{总计 TOTAL}&«d.mon('total',s.tot)»\\\hline\end{tabularx}

\vspace{20mm}\hfill 授权签字 Authorized Signature\end{document}''',d,s)
    return d,src

@lay(P,J('IT','US',lines=4),J('TW','GB',lines=3))
def pl_tex(s):
    it=s.o=='IT'; d=D('packing_list','tx-pl-'+('it' if it else 'en'),'it' if it else 'en',med='tex',df='dd/mm/y' if it else 'd-MMM-y'); L=s.lines; lg=d.lang
    w=(['DISTINTA COLLI','Fattura n.','Data','Ordine n.','Merce&Quantità&Colli&Peso netto (kg)&Peso lordo (kg)&Volume (m3)','Totale','Marche e numeri','Mittente','Destinatario'] if it else ['PACKING LIST','Invoice no.','Date','Order no.','Commodity&Q\'ty&Pkgs&N.W. (kg)&G.W. (kg)&Meas. (m3)','Grand total','Marks and numbers','Shipper','Consignee'])
    return X(d,s,r'''\begin{center}\Large\bfseries «w[0]»\end{center}
\begin{tabularx}{\textwidth}{XX}\textbf{«w[7]»}: «d.pa('-',s.shp,NL)»&\textbf{«w[8]»}: «d.pa('-',s.cne,NL)»\end{tabularx}

«w[1]» «d.num('invoice_number',s.inv)»\quad «w[2]» «d.date('issue_date',s.etd-dt.timedelta(2))»\quad «w[3]» «d.num('po_number',s.po)»

\begin{tabularx}{\textwidth}{|X|r|r|r|r|r|}\hline «w[4]»\\\hline «R('lines',L,r"⟦d.txt('description',x['g'][lg])⟧&⟦d.qty('quantity',x['q'])⟧&⟦d.qty('packages',x['k'])⟧&⟦d.mass('net_weight',x['nw'],2,'')⟧&⟦d.mass('gross_weight',x['gw'],2,'')⟧&⟦d.vol('volume',x['v'],3,'')⟧\\ ",'')»\hline «w[5]»&&«d.qty('packages',sum(l['k'] for l in L))»&«d.mass('net_weight',sum(l['nw'] for l in L),2,'')»&«d.mass('gross_weight',sum(l['gw'] for l in L),2,'')»&«d.vol('volume',sum(l['v'] for l in L),3,'')»\\\hline\end{tabularx}

«w[6]»:\\ «d.prose('marks',[s.cne[0].split()[0].upper(),s.pod[1].upper(),'No. 1-%d'%sum(l['k'] for l in L)])»

Container: «R('containers',s.con,r"⟦d.num('number',x['no'])⟧ (⟦d.num('seal',x['seal'])⟧)",', ')»''',w=w,lg=lg,L=L)

@lay(P,J('CN','DE'),J('US','DE'))
def ce_de(s):
    d=D('customs_entry','tx-ce-zollanmeldung','de',med='tex')
    return X(d,s,r'''\textbf{ZOLLANMELDUNG ZUR ÜBERLASSUNG ZUM ZOLLRECHTLICH FREIEN VERKEHR}\\ ATLAS – Einfuhr\hfill Zollstelle: DE004851 Hamburg-Waltershof

\begin{tabularx}{\textwidth}{|l|X|}\hline Registriernummer (MRN)&«d.num('entry_number','26DE4851'+dig(s.r,9)+let(s.r,1))»\\\hline Annahmedatum&«d.date('entry_date',s.eta+dt.timedelta(2))»\\\hline Ankunft der Ware&«d.date('import_date',s.eta)»\\\hline Anmelder / Einführer&«d.pa('importer',s.cne,NL)»\\\hline Vertreter&«d.e(s.fd[0])»\\\hline Versender&«d.pa('-',s.shp,NL)»\\\hline Vorpapier: Konnossement&«d.num('bl_number',s.bl)»\\\hline Beförderungsmittel&«d.e(s.ves)»\\\hline Versendungsland&«s.o»\\\hline Warennummer&«s.g['hs']»0000 0\\\hline Warenbezeichnung&«d.e(s.g['de'])»\\\hline Rohmasse&«d.n(s.tw,2)» kg\\\hline Eigenmasse&«d.n(s.nw)» kg\\\hline Rechnungspreis&«d.n(s.tot,2)» «s.cur»\\\hline\end{tabularx}

Container: «', '.join(x['no'] for x in s.con)»''',HV)

@lay(P,J('ES','CL'),J('IT','CN'))
def co_tex(s):
    es=s.o=='ES'; d=D('certificate_of_origin','tx-co-'+('es' if es else 'it'),s.o.lower(),med='tex')
    return X(d,s,r'''\fboxrule=2pt\fbox{\begin{minipage}{.96\textwidth}\begin{center}\textsc{«'Unión Europea' if es else 'Unione Europea'»}\\{\Large\bfseries «'CERTIFICADO DE ORIGEN' if es else 'CERTIFICATO DI ORIGINE'»}\end{center}
\begin{tabularx}{\textwidth}{|X|X|}\hline 1 «'Expedidor' if es else 'Speditore'»\newline «d.pa('exporter',s.shp,NL)»&N. \textbf{«d.num('certificate_number',let(s.r,1)+' '+dig(s.r,6))»}\quad ORIGINAL\\\hline 2 «'Destinatario'»\newline «d.pa('-',s.cne,NL)»&3 «'País de origen' if es else 'Paese di origine'»\newline \textbf{«d.txt('country_of_origin','Unión Europea - España' if es else 'Unione Europea - Italia')»}\\\hline 4 «'Transporte: marítimo' if es else 'Trasporto: via mare'», «d.e(s.pol[1])» -- «d.e(s.pod[1])»&5 «'Observaciones' if es else 'Osservazioni'»\newline «'Factura' if es else 'Fattura'» «d.num('invoice_number',s.inv)»\\\hline\end{tabularx}

6 «'Número de orden; marcas; naturaleza de los bultos; designación de las mercancías' if es else 'Numero d’ordine; marche; natura dei colli; denominazione delle merci'»

«r'\\ '.join('%d. %s --- %s kg'%(i,d.e(l['g'][d.lang]),d.n(l['gw'],1)) for i,l in enumerate(s.lines,1))»

\vspace{60mm}8 «'La autoridad que suscribe certifica que las mercancías designadas son originarias del país indicado en la casilla 3.' if es else 'L’autorità sottoscritta certifica che le merci sopra descritte sono originarie del paese indicato nella casella n. 3.'»

«'Cámara de Comercio' if es else 'Camera di Commercio'», «d.date('issue_date',s.etd-dt.timedelta(3),'d de MMMM de y' if es else 'd MMMM y')»\end{minipage}}''',r'\usepackage{palatino}')

@lay(P,J('ES','US'),J('MX','ES','MSC'))
def fi_es(s):
    ex=s.o=='ES'; d=D('freight_invoice','tx-fi-es','es',med='tex'); d.cury='EUR'; r=s.r
    ch=[('Flete marítimo',r.randint(1300,3900)),('THC',r.randint(160,240)),('Emisión B/L',60),('Acarreo al puerto',r.randint(220,560))]; d.put('currency','EUR'); tot=sum(c[1] for c in ch)
    who=(s.fo,s.shp) if ex else (s.fd,s.cne)
    return X(d,s,r'''{\Large\bfseries\color{teal}«d.e(who[0][0])»}\\«d.e(', '.join(who[0][1]))»

\begin{flushright}\begin{tabular}{|l|l|}\hline\rowcolor{teal!15}\multicolumn{2}{|c|}{FACTURA DE FLETES}\\\hline Número&«d.num('invoice_number','FT'+dig(s.r,2)+'/'+dig(s.r,5))»\\\hline Fecha&«d.date('issue_date',s.etd+dt.timedelta(2))»\\\hline Vencimiento&«d.date('due_date',s.etd+dt.timedelta(32))»\\\hline\end{tabular}\end{flushright}
Cliente: «d.e(who[1][0])», «d.e(', '.join(who[1][1]))»\\B/L: «d.num('bl_number',s.bl)»\quad Buque: «d.e(s.ves)»\quad «d.e(s.pol[1])» -- «d.e(s.pod[1])»

\begin{tabularx}{\textwidth}{Xr}\toprule Concepto&Importe (€)\\\midrule «R('',ch,r"⟦x[0]⟧&⟦d.n(x[1],2)⟧\\ ")»\midrule\textbf{TOTAL FACTURA}&\textbf{«d.mon('total',tot)» €}\\\bottomrule\end{tabularx}

Exento de IVA (art. 22 Ley 37/1992). Forma de pago: transferencia.''',who=who,ch=ch,tot=tot)

@lay(P,J('CN','US','MSC'))
def ot_lc(s):
    d=D('other','tx-ot-lc',med='tex')
    return X(d,s,r'''\ttfamily\small MT700 ISSUE OF A DOCUMENTARY CREDIT\par
27: SEQUENCE OF TOTAL 1/1\\40A: FORM OF DOCUMENTARY CREDIT IRREVOCABLE\\20: DOCUMENTARY CREDIT NUMBER LC«dig(s.r,8)»\\31C: DATE OF ISSUE 26«'%02d%02d'%(s.etd.month,s.etd.day)»\\40E: APPLICABLE RULES UCP LATEST VERSION\\50: APPLICANT\\«d.pa('-',s.cne,up=True)»\\59: BENEFICIARY\\«d.pa('-',s.shp,up=True)»\\32B: CURRENCY CODE, AMOUNT USD«'%.2f'%s.tot»\\44E: PORT OF LOADING «d.e(s.pol[1].upper())»\\44F: PORT OF DISCHARGE «d.e(s.pod[1].upper())»\\45A: DESCRIPTION OF GOODS «d.e(s.g['en'].upper())»\\46A: DOCUMENTS REQUIRED\\+ SIGNED COMMERCIAL INVOICE IN TRIPLICATE\\+ FULL SET OF CLEAN ON BOARD OCEAN BILLS OF LADING MADE OUT TO ORDER, MARKED FREIGHT PREPAID\\+ PACKING LIST IN TRIPLICATE\\+ CERTIFICATE OF ORIGIN ISSUED BY CHAMBER OF COMMERCE\\47A: ADDITIONAL CONDITIONS: ALL DOCUMENTS MUST SHOW THIS CREDIT NUMBER\\71D: CHARGES: ALL BANK CHARGES OUTSIDE USA FOR ACCOUNT OF BENEFICIARY\\48: PERIOD FOR PRESENTATION 21 DAYS''')

@lay(P,J('DE','US'))
def ot_vgm_de(s):
    d=D('other','tx-ot-vgm-de','de',med='tex')
    return X(d,s,r'''\textbf{\Large VGM-Meldung (SOLAS VI/2)}

Verantwortlicher Befrachter: «d.e(s.shp[0])»\\Buchung: «s.bk»\\Datum: «d.date('-',s.etd-dt.timedelta(3))»

\begin{tabular}{|l|l|r|}\hline Container&Methode&Verifizierte Bruttomasse\\\hline «R('',s.con,r"⟦x['no']⟧&2 (Berechnung)&⟦d.n(x['w']+3800,0)⟧ kg\\\hline ")»\end{tabular}

Hiermit bestätigen wir, dass die angegebenen Massen gemäß zertifiziertem Verfahren ermittelt wurden. Unterschrift: M. Thomsen''')
