from eng import *
def box(cap,val,st=''): return '<td style="border:1px solid #000;padding:2px 4px;%s"><div style="font-size:7px">%s</div>%s</td>'%(st,cap,val)
def cont(d,s,row,f,cs=0,ts=0,loc='en'):
    o=''
    for c in s.con:
        r=d.row('containers'); o+=row(f,r,c)
    return o
# ---- 1 carrier B/L boxed, Maersk-ish
@lay('bl-boxed-port','bill_of_lading')
def _(s):
    d=Doc('bill_of_lading','bl-boxed-port'); d.c('scac',s.scac,s.linefull)
    rows=''.join('<tr><td>%s<br>Seal: %s</td><td>1 x %s</td><td class=r>%s</td></tr>'%((lambda r:(r.n('number',c['no'])+' ',r.n('seal',c['seal']),r.c('size_type',c['ty'],TY[c['ty']][2])+' container, '+r.q('packages',c['pk'])+' '+s.pkw,r.m('gross_weight',c['gw'],3,'plain',' KGS')+'<br>'+r.v('volume',c['vol'],3,'plain',' CBM')))(d.row('containers'))) for c in s.con)
    h='<table width=100%%><tr><td><b style="font-size:18px">%s</b></td><td class=r><b>BILL OF LADING FOR OCEAN TRANSPORT OR MULTIMODAL TRANSPORT</b><br>SCAC %s</td></tr></table><table width=100%%>'%(s.line,d.n('scac',s.scac))
    h+='<tr>'+box('Shipper',d.pa('shipper',s.exp),'width:50%;height:70px')+box('B/L No.','<b>'+d.n('bl_number',s.bl)+'</b><br><br><span style="font-size:7px">Booking No.</span><br>'+d.n('booking_number',s.bkg))+'</tr>'
    h+='<tr>'+box('Consignee (negotiable only if consigned &quot;to order&quot;, &quot;to order of&quot; a named Person or &quot;to order of bearer&quot;)',d.pa('consignee',s.imp),'height:64px')+box('Export references / Svc Contract','299%d'%s.r.randint(100000,999999))+'</tr>'
    h+='<tr>'+box('Notify Party (see clause 22)',d.pa('notify_party',s.ntf),'height:60px')+box('Onward inland routing (Not part of Carriage as defined in clause 1. For account and risk of Merchant)','')+'</tr></table>'
    h+='<table width=100%><tr>'+box('Vessel (see clause 1 + 19)',d.t('vessel',s.ship))+box('Voyage No.',d.n('voyage',s.voy))+box('Place of Receipt. Applicable only when document used as Multimodal Transport B/L','')+'</tr><tr>'+box('Port of Loading',d.pl('port_of_lading',s.pol))+box('Port of Discharge',d.pl('port_of_discharge',s.pod))+box('Place of Delivery. Applicable only when document used as Multimodal Transport B/L','')+'</tr></table>'
    h+='<p style="text-align:center">PARTICULARS FURNISHED BY SHIPPER</p><table width=100%% cellpadding=4 border=1><tr><th>Kind of Packages; Description of goods; Marks and Numbers; Container No./Seal No.</th><th></th><th>Weight / Measurement</th></tr><tr><td colspan=3>%d containers said to contain<br>%s</td></tr>%s</table>'%(len(s.con),d.pr('description','<br>'.join(l['desc'].upper() for l in s.lines)),rows)
    h+='<p>SHIPPER\'S LOAD, STOW, WEIGHT AND COUNT<br>FREIGHT '+d.c('freight_terms','prepaid','PREPAID')+'</p><table width=100%><tr>'+box('Freight &amp; Charges','Basic Ocean Freight')+box('Rate','As agreed')+box('Carrier\'s Receipt. Total number of containers or packages received by Carrier','%d containers'%len(s.con))+box('Place of Issue of B/L',d.pl('issue_place',s.pol))+'</tr><tr>'+box('Number &amp; Sequence of Original B(s)/L',d.c('originals','3','THREE/3'))+box('Date of Issue of B/L',d.d('issue_date',s.ob+D.timedelta(1),'iso'))+box('Shipped on Board Date (Local Time)',d.d('on_board_date',s.ob,'iso'))+box('Declared Value (see clause 7.3)','')+'</tr></table><p style="font-size:6px">SHIPPED, as far as ascertained by reasonable means of checking, in apparent good order and condition unless otherwise stated herein, the total number or quantity of Containers or other packages or units indicated in the box opposite entitled &quot;Carrier\'s Receipt&quot;.</p><p class=r>Signed for the Carrier %s<br>As Agent(s)</p>'%s.linefull
    return d,page(h,title='BL')
# ---- 2 carrier B/L serif, marks column, freight lines
@lay('bl-marks-column','bill_of_lading')
def _(s):
    d=Doc('bill_of_lading','bl-marks-column'); d.c('scac',s.scac,s.linefull)
    h='<div style="text-align:center;font-size:15px"><b>%s</b></div><div style="text-align:center">COMBINED TRANSPORT BILL OF LADING &nbsp; <b>ORIGINAL</b></div><table width=100%% cellpadding=3 style="font-family:Liberation Serif;font-size:11px"><tr><td width=55%% style="border-top:2px solid">(2) SHIPPER/EXPORTER<br>%s</td><td style="border-top:2px solid">(5) DOCUMENT NO.<br>%s<br>(6) EXPORT REFERENCES<br>BKG# %s</td></tr><tr><td style="border-top:1px solid">(3) CONSIGNEE<br>%s</td><td style="border-top:1px solid">(7) FORWARDING AGENT - REFERENCES<br>%s</td></tr><tr><td style="border-top:1px solid">(4) NOTIFY PARTY (It is agreed that no responsibility shall be attached to the Carrier or its Agents for failure to notify)<br>%s</td><td style="border-top:1px solid">(9) ALSO NOTIFY PARTY - ROUTING &amp; INSTRUCTIONS<br>&nbsp;</td></tr></table>'%(s.linefull.upper(),d.pa('shipper',s.exp),d.n('bl_number',s.bl[4:]),d.n('booking_number',s.bkg),d.pa('consignee',s.imp),'<br>'.join([s.fwd[0]]+s.fwd[1]),d.pa('notify_party',s.ntf))
    h+='<table width=100%% style="font-family:Liberation Serif;font-size:11px;border-top:1px solid" cellpadding=3><tr><td>(12) PRE-CARRIAGE BY<br>&nbsp;</td><td>(13) PLACE OF RECEIPT<br>%s</td></tr><tr><td>(14) OCEAN VESSEL/VOY. NO.<br>%s %s</td><td>(15) PORT OF LOADING<br>%s</td></tr><tr><td>(16) PORT OF DISCHARGE<br>%s</td><td>(17) PLACE OF DELIVERY<br>%s</td></tr></table>'%(d.pl('place_of_receipt',s.pol,'uc'),d.t('vessel',s.ship),d.n('voyage',s.voy),d.pl('port_of_lading',s.pol,'uc'),d.pl('port_of_discharge',s.pod,'uc'),d.pl('place_of_delivery',s.pod,'uc'))
    cs=''
    for c in s.con:
        r=d.row('containers'); cs+='%s/%s/%s/%s %s/%s/%s<br>'%(r.n('number',c['no']),r.n('seal',c['seal']),r.c('size_type',c['ty'],TY[c['ty']][1]),r.q('packages',c['pk'],'plain'),s.pkw,r.m('gross_weight',c['gw'],1,'plain','KGS'),r.v('volume',c['vol'],2,'plain','CBM'))
    h+='<table width=100%% cellpadding=3 style="font-family:Liberation Serif;font-size:11px;border-top:1px solid"><tr><th>(18) Container No. And Seal No.<br>Marks &amp; Nos.</th><th>(19) Quantity And Kind of Packages</th><th>(20) Description of Goods</th><th>(21) Measurement (M&sup3;)<br>Gross Weight (KGS)</th></tr><tr><td>%s</td><td>%d %s</td><td>SHIPPER\'S LOAD &amp; COUNT<br>%s</td><td class=r>%s CBM<br>%s KGS</td></tr></table><p>%s</p>'%(s.mark.replace('\n','<br>'),s.pk,s.pkw,d.pr('description','<br>'.join(l['desc'].upper() for l in s.lines)),num(s.vol,3),num(s.gw,3),cs)
    h+='<table width=100%% cellpadding=3 style="border-top:1px solid;font-size:11px"><tr><td>(24) FREIGHT &amp; CHARGES<br>OCEAN FREIGHT %s</td><td>(27) Number of Original B(s)/L<br>%s</td><td>(28) Place of B(s)/L Issue/Date<br>%s<br>%s</td></tr><tr><td>(32) Exchange Rate</td><td>(29) B(s)/L Signed<br>&nbsp;</td><td>(33) Laden on Board<br>%s</td></tr></table><p class=r>AS AGENT FOR THE CARRIER %s</p>'%(d.c('freight_terms','collect','COLLECT'),d.c('originals','3','THREE (3)'),d.pl('issue_place',s.pol,'u'),d.d('issue_date',s.ob,'Md,y'),d.d('on_board_date',s.ob,'Md,y'),s.linefull.upper())
    return d,page(h,title='Original')
# ---- 3 HBL forwarder FIATA-like
@lay('hbl-fbl','house_bill_of_lading')
def _(s):
    d=Doc('house_bill_of_lading','hbl-fbl'); B='border:1px solid #345;padding:3px'
    cs=''
    for c in s.con:
        r=d.row('containers'); cs+='<tr><td>%s</td><td>%s</td><td>%s</td><td class=r>%s</td><td class=r>%s</td><td class=r>%s</td></tr>'%(r.n('number',cn(c['no'],2)),r.n('seal',c['seal']),r.c('size_type',c['ty'],TY[c['ty']][0]),r.q('packages',c['pk']),r.m('gross_weight',c['gw'],2,'en',''),r.v('volume',c['vol'],2,'en',''))
    h='<table width=100%%><tr><td style="%s" width=50%%><i>Consignor</i><br>%s</td><td style="%s"><b>FBL</b> &nbsp; No. <b>%s</b><br><br>NEGOTIABLE FIATA MULTIMODAL TRANSPORT BILL OF LADING<br><small>issued subject to UNCTAD/ICC Rules for Multimodal Transport Documents (ICC Publication 481)</small></td></tr><tr><td style="%s"><i>Consigned to order of</i><br>%s</td><td rowspan=2 style="%s;text-align:center;font-size:15px"><b>%s</b><br><small>%s<br>as carrier</small></td></tr><tr><td style="%s"><i>Notify address</i><br>%s</td></tr></table>'%(B,d.pa('shipper',s.exp),B,d.n('hbl_number',s.hbl),B,d.pa('consignee',s.imp),B,s.fwd[0],'<br>'.join(s.fwd[1]),B,d.pa('notify_party',s.ntf))
    h+='<table width=100%%><tr><td style="%s"></td><td style="%s"><i>Place of receipt</i><br>%s</td></tr><tr><td style="%s"><i>Ocean vessel</i><br>%s V.%s</td><td style="%s"><i>Port of loading</i><br>%s</td></tr><tr><td style="%s"><i>Port of discharge</i><br>%s</td><td style="%s"><i>Place of delivery</i><br>%s</td></tr></table>'%(B,B,d.pl('place_of_receipt',s.pol,'nc'),B,d.t('vessel',s.ship),d.n('voyage',s.voy),B,d.pl('port_of_lading',s.pol,'nc'),B,d.pl('port_of_discharge',s.pod,'nc'),B,d.pl('place_of_delivery',s.pod,'nc'))
    h+='<table width=100%% style="margin-top:4px"><tr><td width=25%%><i>Marks and numbers</i><br>%s</td><td><i>Number and kind of packages &nbsp; Description of goods</i><br>%d %s<br>%s<br><br>SHIPPED ON BOARD %s<br>FREIGHT %s</td><td class=r><i>Gross weight</i><br>%s kgs</td><td class=r><i>Measurement</i><br>%s m3</td></tr></table><table width=100%% style="margin-top:10px"><tr><th>Container</th><th>Seal</th><th>Type</th><th class=r>Pkgs</th><th class=r>Weight kgs</th><th class=r>m3</th></tr>%s</table>'%(s.mark.replace('\n','<br>'),s.pk,s.pkw,d.pr('description','<br>'.join(l['desc'] for l in s.lines)),d.d('on_board_date',s.ob,'d-M-y'),d.c('freight_terms','prepaid','PREPAID'),num(s.gw),num(s.vol),cs)
    h+='<table width=100%% style="margin-top:20px"><tr><td style="%s"><i>Freight amount</i><br>as arranged</td><td style="%s"><i>Freight payable at</i><br>ORIGIN</td><td style="%s"><i>Place and date of issue</i><br>%s, %s</td></tr><tr><td style="%s"><i>Cargo Insurance through the undersigned</i><br>[x] not covered</td><td style="%s"><i>Number of Original FBL\'s</i><br>%s</td><td style="%s"><i>Stamp and signature</i><br>%s</td></tr></table><p>For delivery of goods please apply to: %s</p>'%(B,B,B,d.pl('issue_place',s.pol),d.d('issue_date',s.ob,'d-M-y'),B,B,d.c('originals','3','3 (THREE)'),B,s.fwd[0],', '.join([s.ntf[0]]+s.ntf[1]))
    return d,page(h,title='FBL')
# ---- 4 HBL letter-size NVOCC US
@lay('hbl-us-nvocc','house_bill_of_lading')
def _(s):
    d=Doc('house_bill_of_lading','hbl-us-nvocc'); B='border-bottom:1px solid #888;border-right:1px solid #888;padding:3px'; own='LDPF' if 'Lode' in s.ntf[0] else 'CVGL'
    def k(c,v,a=''): return '<td style="%s" %s><span style="color:#157;font-size:7px">%s</span><br>%s</td>'%(B,a,c,v)
    cs=''
    for c in s.con:
        r=d.row('containers'); cs+='%s %s / SEAL %s &nbsp; %s PKGS &nbsp; %s &nbsp; %s<br>'%(r.c('size_type',c['ty'],TY[c['ty']][2]),r.n('number',c['no']),r.n('seal',c['seal']),r.q('packages',c['pk']),r.m('gross_weight',c['gw'],2,'en',' KGS'),r.v('volume',c['vol'],3,'en',' CBM'))
    h='<h2 style="margin:0">%s</h2>FMC OTI No. 0%dNF<table width=100%%><tr>%s%s</tr><tr>%s%s</tr><tr>%s%s</tr></table>'%(s.ntf[0],s.r.randint(17000,26000),k('SHIPPER / EXPORTER',d.pa('shipper',s.exp),'width=55%'),k('HOUSE B/L NUMBER',d.n('hbl_number',s.hbl)+'<br><br><span style="color:#157;font-size:7px">MASTER B/L NUMBER</span><br>'+d.n('bl_number',s.bl)),k('CONSIGNEE',d.pa('consignee',s.imp)),k('SCAC',d.n('scac',own)),k('NOTIFY PARTY','SAME AS CONSIGNEE'),k('FOR DELIVERY PLEASE APPLY TO','<br>'.join([s.ntf[0]]+s.ntf[1])))
    d.unj=['notify_party']
    h+='<table width=100%%><tr>%s%s%s</tr><tr>%s%s%s</tr></table>'%(k('VESSEL / VOYAGE',d.t('vessel',s.ship)+' / '+d.n('voyage',s.voy)),k('PORT OF LOADING',d.pl('port_of_lading',s.pol,'uc')),k('NO. OF ORIGINAL BILLS',d.c('originals','0','ZERO (0) - TELEX RELEASE')),k('PORT OF DISCHARGE',d.pl('port_of_discharge',s.pod,'u')),k('FINAL DESTINATION',d.pl('place_of_delivery',s.pod,'u')),k('TYPE OF MOVE','CY/CY'))
    h+='<table width=100%% style="margin-top:5px"><tr>%s%s%s%s</tr></table><p>%s</p>'%(k('MARKS &amp; NUMBERS',s.mark.replace('\n','<br>')),k('DESCRIPTION OF PACKAGES AND GOODS','%d %s<br>'%(s.pk,s.pkw)+d.pr('description','<br>'.join(l['desc'].upper()+' HS '+l['hs'][:7] for l in s.lines))),k('GROSS WEIGHT',num(s.gw)+' KGS'),k('MEASUREMENT',num(s.vol,3)+' CBM'),cs)
    h+='<p><b>FREIGHT %s</b> &nbsp;&nbsp; LADEN ON BOARD %s</p><p>IN WITNESS WHEREOF the Carrier by its agent has signed this bill. Dated at %s on %s</p>'%(d.c('freight_terms','collect','COLLECT'),d.d('on_board_date',s.ob,'us/'),d.pl('issue_place',s.pol),d.d('issue_date',s.ob,'us/'))
    d.unj.append('originals')
    return d,page(h,size='Letter',title='House B/L')
# ---- 5 sea waybill boxed
@lay('swb-grid','sea_waybill')
def _(s):
    d=Doc('sea_waybill','swb-grid'); d.c('scac',s.scac,s.line)
    cs=''
    for c in s.con:
        r=d.row('containers'); cs+='<tr><td>%s<td>%s<td>%s<td class=r>%s<td class=r>%s<td class=r>%s</tr>'%(r.n('number',c['no']),r.n('seal',c['seal']),r.c('size_type',c['ty'],TY[c['ty']][1]),r.q('packages',c['pk'])+' '+s.pkw,r.m('gross_weight',c['gw'],3),r.v('volume',c['vol']))
    def b(c,v): return '<div style="border:1px solid #999;border-radius:3px;padding:3px;margin:2px"><b style="color:#c60">%s</b><br>%s</div>'%(c,v)
    h='<div style="background:#f60;color:#fff;padding:6px;font-size:16px">%s <span style="float:right">Sea Waybill &ndash; Non-negotiable</span></div><table width=100%%><tr><td width=50%%>%s%s%s</td><td>%s%s%s%s</td></tr></table>'%(s.linefull,b('Shipper:',d.pa('shipper',s.exp)),b('Consignee (not negotiable):',d.pa('consignee',s.imp)),b('Notify Address (Carrier not responsible for failure to notify):',d.pa('notify_party',s.ntf)),b('SWB-No.:',d.n('bl_number',s.bl)),b("Carrier's Reference:",d.n('booking_number',s.bkg)),b('Vessel(s): / Voyage-No.:',d.t('vessel',s.ship)+' &nbsp; '+d.n('voyage',s.voy)),b('Place of Receipt:',''))
    h+='<table width=100%%><tr><td>%s</td><td>%s</td><td>%s</td></tr></table><table width=100%% border=1 cellpadding=3><tr><th>Container No.<th>Seal No.<th>Size<th>Packages<th>Gross Weight<th>Measurement</tr>%s</table><p><b>Description of goods</b><br>%s</p>'%(b('Port of Loading:',d.pl('port_of_lading',s.pol,'uc')),b('Port of Discharge:',d.pl('port_of_discharge',s.pod,'uc')),b('Place of Delivery:',''),cs,d.pr('description','<br>'.join(l['desc'] for l in s.lines)))
    h+='<p>Movement: FCL/FCL &nbsp; Total freight %s. Shipped on Board, Date: %s</p><table width=100%%><tr><td>%s</td><td>%s</td><td>%s</td></tr></table>'%(d.c('freight_terms','prepaid','prepaid'),d.d('on_board_date',s.ob,'dMy'),b('Place and date of issue:',d.pl('issue_place',s.pol)+' '+d.d('issue_date',s.ob+D.timedelta(1),'dMy')),b('Freight payable at:','Origin'),b('Total No. of Containers received:',str(len(s.con))))
    return d,page(h,title='SWB')
# ---- 6 SWB courier
@lay('swb-courier','sea_waybill')
def _(s):
    d=Doc('sea_waybill','swb-courier'); d.c('scac',s.scac,s.linefull); s.linefull=s.linefull.upper()
    L=[]; a=L.append
    a('%-46s%s'%(s.linefull,'NON NEGOTIABLE WAYBILL')); a(''); a('%-46s%s'%('SHIPPER','WAYBILL NUMBER')); A=[s.exp[0].upper()]+[x.upper() for x in s.exp[1]]
    d.pa('shipper',(A[0],A[1:])); a('%-46s%s'%(A[0][:45],d.n('bl_number',s.bl)));
    if len(A[0])>45: d.printed=[p for p in d.printed if p[0]!='shipper']
    a('%-46s'%A[1]); a('%-46s%s'%(A[2],'EXPORT REFERENCES')); a('%-46s%s'%('','BOOKING '+d.n('booking_number',s.bkg)))
    C=d.pa('consignee',(s.imp[0].upper(),[x.upper() for x in s.imp[1]]),'\n').split('\n'); a('CONSIGNEE'); L.extend(C); a('')
    C=d.pa('notify_party',(s.ntf[0].upper(),[x.upper() for x in s.ntf[1]]),'\n').split('\n'); a('NOTIFY PARTY'); L.extend(C); a('')
    a('%-30s%-24s%s'%('VESSEL','VOYAGE','FREIGHT TO BE PAID AT')); a('%-30s%-24s%s'%(d.t('vessel',s.ship),d.n('voyage',s.voy),s.pol[1].upper())); 
    a('%-30s%-24s%s'%('PORT OF LOADING','PORT OF DISCHARGE','FINAL PLACE OF DELIVERY*')); a('%-30s%-24s%s'%(d.pl('port_of_lading',s.pol,'u'),d.pl('port_of_discharge',s.pod,'u'),d.pl('place_of_delivery',s.pod,'u'))); a('-'*84)
    a('MARKS AND NOS           NO AND KIND     DESCRIPTION OF PACKAGES        GROSS WEIGHT'); a('CONTAINER AND SEALS     OF PACKAGES     AND GOODS                      CARGO KGS'); a('-'*84)
    for i,c in enumerate(s.con):
        r=d.row('containers'); a('%-24s1 x %-12s%-31s%s'%(r.n('number',c['no']),r.c('size_type',c['ty'],TY[c['ty']][0]),r.q('packages',c['pk'],'plain')+' '+s.pkw,r.m('gross_weight',c['gw'],3,'plain',''))); a('SEAL '+r.n('seal',c['seal']))
    a(''); 
    for x in d.pr('description','\n'.join(l['desc'].upper() for l in s.lines)).split('\n'): a(' '*40+x)
    a(' '*40+'FREIGHT '+d.c('freight_terms','prepaid','PREPAID')); a(''); a('TOTAL: %d CONTAINERS  %s KGS'%(len(s.con),num(s.gw,3,'plain'))); a('-'*84)
    a('SHIPPED ON BOARD %s   %s'%(s.ship,d.d('on_board_date',s.ob,'dMy'))); a('PLACE AND DATE OF ISSUE  %s  %s'%(d.pl('issue_place',s.pol,'u'),d.d('issue_date',s.ob,'dMy'))); a('SIGNED FOR THE CARRIER %s'%s.linefull)
    return d,page('<pre style="font:11px Courier,monospace">'+'\n'.join(html.escape(x) for x in L).replace('&amp;#','&#')+'</pre>',title='WAYBILL')
# ---- 7 arrival notice: forwarder US, header tables w charges
@lay('an-us-table','arrival_notice')
def _(s):
    d=Doc('arrival_notice','an-us-table'); d.c('scac',s.scac,s.line); f='us/'
    def k(c,v): return '<td style="border:1px solid #777;padding:3px"><b style="font-size:8px">%s</b><br>%s</td>'%(c,v)
    cs=''
    for c in s.con:
        r=d.row('containers'); cs+='<tr><td>%s<td>%s<td>%s<td>%s %s<td>%s<td>%s</tr>'%(r.n('number',c['no']),r.n('seal',c['seal']),r.c('size_type',c['ty'],TY[c['ty']][1]),r.q('packages',c['pk']),s.pkw,r.m('gross_weight',c['gw'],2,'en',' KGS'),r.v('volume',c['vol'],2,'en',' CBM'))
    ch=[('OCEAN FREIGHT',s.r.randint(1800,3900)),('DESTINATION THC',480),('CHASSIS USAGE FEE',s.r.choice([120,150])),('DOCUMENT HANDLING FEE',75),('AMS FILING',35)]; x=''
    for n,v in ch:
        r=d.row('charges'); x+='<tr><td>%s<td class=r>%s</tr>'%(r.t('description',n),r.mo('amount',v,'USD'))
    if s.term[1]: firms=d.n('firms_code',s.term[1])
    else: firms=''
    h='<table width=100%%><tr><td><b style="font-size:14px">%s</b><br>%s<br>Tel 310-555-0%d</td><td class=r><h2 style="margin:0">ARRIVAL NOTICE / FREIGHT INVOICE</h2>Our Ref.: %s<br>Date: %s</td></tr></table>'%(s.ntf[0],'<br>'.join(s.ntf[1]),s.r.randint(100,199),d.n('notice_number','AN-%d'%s.r.randint(260100,269999)),d.d('issue_date',s.notice,f))
    h+='<table width=100%%><tr>%s%s</tr><tr>%s%s</tr></table>'%(k('CONSIGNEE',d.pa('consignee',s.imp)),k('SHIPPER','<br>'.join([s.exp[0]]+s.exp[1])),k('NOTIFY PARTY','SAME AS CONSIGNEE'),k('CARRIER',s.line)); d.unj=['notify_party']
    h+='<table width=100%%><tr>%s%s%s%s</tr><tr>%s%s%s%s</tr><tr>%s%s%s%s</tr></table>'%(k('MASTER B/L',d.n('bl_number',s.bl)),k('HOUSE B/L',d.n('hbl_number',s.hbl)),k('AMS HOUSE',d.n('ams_number','GSUL'+s.hbl[-7:])),k('VESSEL / VOY',d.t('vessel',s.ship)+' / '+d.n('voyage',s.voy)),k('PORT OF LOADING',d.pl('port_of_lading',s.pol,'uc')),k('PORT OF DISCHARGE',d.pl('port_of_discharge',s.pod,'u')),k('ETA',d.d('eta',s.eta,f)),k('PLACE OF DELIVERY',d.pl('place_of_delivery',s.pod,'u')),k('CARGO LOCATION',d.t('terminal',s.term[0])+('<br>FIRMS: '+firms if firms else '')),k('LAST FREE DAY',d.d('last_free_day',s.lfd,f)),k('G.O. DATE',d.d('go_date',s.eta+D.timedelta(15),f)),k('I.T. NUMBER',''))
    h+='<table width=100%% border=1 cellpadding=3 style="margin-top:5px"><tr><th>CONTAINER<th>SEAL<th>TYPE<th>PKGS<th>WEIGHT<th>MEASURE</tr>%s</table><p>SAID TO CONTAIN: %s</p><table width=50%% border=1 cellpadding=3 align=right><tr><th>CHARGES<th>AMOUNT (USD)</tr>%s<tr><td><b>TOTAL DUE</b><td class=r>%s</tr></table><p style="font-size:7px">PLEASE NOTE: original bill of lading, properly endorsed, and payment of all charges is required before release.</p>'%(cs,', '.join(l['desc'] for l in s.lines),x,num(sum(v for _,v in ch)))
    return d,page(h,size='Letter',title='Arrival Notice')
# ---- 8 arrival notice: carrier letter with sentences
@lay('an-carrier-letter','arrival_notice')
def _(s):
    d=Doc('arrival_notice','an-carrier-letter'); d.c('scac',s.scac,s.linefull)
    cs=''
    for c in s.con:
        r=d.row('containers'); cs+='<tr><td width=150>%s</td><td width=80>%s</td><td width=120>%s</td><td>%s</td></tr>'%(r.n('number',c['no']),r.c('size_type',c['ty'],TY[c['ty']][4].title() if c['ty']!='20GP' else "20' Dry"),r.n('seal',c['seal']),r.m('gross_weight',c['gw'],1))
    h='<div style="font:12px/1.5 Liberation Serif;margin:20px 40px"><p><b>%s</b><br>c/o %s<br>%s</p><p class=r>%s</p><p>%s</p><p><b>Notice of arrival &ndash; Bill of Lading %s</b></p><p>Dear Customer,</p><p>We are pleased to inform you that the vessel %s, voyage %s, carrying the shipment below from %s, is expected at %s on or about <b>%s</b>. The containers will be discharged at %s and free time ends on %s.</p><table>%s</table><p>The cargo is described as %s. Kindly surrender one original bill of lading and settle any outstanding charges with our office before collection. Customs clearance is the responsibility of the receiver.</p><p>Yours faithfully,<br>%s<br>As agents for the carrier %s</p></div>'%(s.linefull,s.ntf[0],', '.join(s.ntf[1]),d.d('issue_date',s.notice,'d M y'),d.pa('consignee',s.imp),d.n('bl_number',s.bl),d.t('vessel',s.ship),d.n('voyage',s.voy),d.pl('port_of_lading',s.pol,'nc'),d.pl('port_of_discharge',s.pod,'nc'),d.d('eta',s.eta,'d M y'),d.t('terminal',s.term[0]),d.d('last_free_day',s.lfd,'d M y'),cs,' and '.join(l['desc'].lower() for l in s.lines[:2]),s.ntf[0],s.linefull)
    return d,page(h,title='Notice')
# ---- 9 DO US form
@lay('do-us-form','delivery_order')
def _(s):
    d=Doc('delivery_order','do-us-form'); tr=s.r.choice([('Anvil Ridge Trucking LLC',['1180 E. Anaheim Street','Wilmington, CA 90744']),('Blue Heron Drayage Inc.',['77 Doremus Avenue','Newark, NJ 07105'])]); f='us/'
    def k(c,v,a=''): return '<td style="border:1px solid #000;padding:3px" %s><span style="font-size:7px">%s</span><br>%s</td>'%(a,c,v)
    cs=''
    for c in s.con:
        r=d.row('containers'); cs+='<tr><td>%s<br>SEAL# %s<td>1<td>%s CONTAINER STC %s %s<br>%s<td class=r>%s</tr>'%(r.n('number',c['no']),r.n('seal',c['seal']),r.c('size_type',c['ty'],TY[c['ty']][2]),r.q('packages',c['pk']),s.pkw,s.lines[0]['desc'].upper(),r.m('gross_weight',round(c['gw']*2.20462),0,'en',' LBS','lb'))
    h='<table width=100%%><tr><td>%s<br>%s</td><td class=r><b style="font-size:16px">DELIVERY ORDER</b></td></tr></table><table width=100%%><tr>%s%s</tr><tr>%s%s</tr><tr>%s%s</tr><tr>%s%s</tr></table>'%(s.ntf[0],', '.join(s.ntf[1]),k('IMPORTING CARRIER / VESSEL',d.t('vessel',s.ship)+' &nbsp; VOY '+d.n('voyage',s.voy)),k('DATE',d.d('issue_date',s.notice,f)+' &nbsp;&nbsp; D/O NO. '+d.n('do_number','%d-D'%s.r.randint(70100,79999))),k('CARRIER DELIVERING TO (TRUCKER)',d.pa('trucker',tr)),k('B/L OR AWB NO.',d.n('bl_number',s.bl)+'<br>HOUSE B/L: '+d.n('hbl_number',s.hbl)),k('LOCATION OF GOODS / TERMINAL',d.t('terminal',s.term[0])+(' &nbsp; FIRMS '+d.n('firms_code',s.term[1]) if s.term[1] else '')),k('LAST FREE DAY',d.d('last_free_day',s.lfd,f)+' &nbsp; PICKUP NO. '+d.n('pickup_number',str(s.r.randint(10000,99999)))),k('DELIVER TO',d.pa('deliver_to',s.imp)),k('RETURN EMPTY TO',d.t('empty_return',s.term[0] if False else 'ContainerCare Depot, Pier J')))
    h+='<table width=100%% border=1 cellpadding=4><tr><th>MARKS &amp; NUMBERS<th>NO. OF PKGS<th>DESCRIPTION OF ARTICLES<th>WEIGHT</tr>%s</table><p>DRAYAGE CHARGES: [ ] PREPAID &nbsp; [X] BILL TO %s</p><p>ATTENTION: this order must be accompanied by a copy of the freight release. RECEIVED IN GOOD ORDER BY ______________ DATE ________</p>'%(cs,s.ntf[0].upper())
    return d,page(h,size='Letter',title='D/O')
# ---- 10 DO release portal
@lay('do-portal','delivery_order')
def _(s):
    d=Doc('delivery_order','do-portal'); 
    def kv(c,v): return '<div style="display:inline-block;width:31%%;margin:0 1%% 10px 0;vertical-align:top"><div style="color:#678;font-size:9px">%s</div><div>%s</div></div>'%(c,v)
    cs=''
    for c in s.con:
        r=d.row('containers'); cs+='<div style="border:1px solid #ddd;margin:4px 0;padding:6px"><b>%s</b> &nbsp; %s &nbsp; Seal %s &nbsp; %s packages &nbsp; %s<br>Release PIN ****%d</div>'%(r.n('number',cn(c['no'],1)),r.c('size_type',c['ty'],TY[c['ty']][3]),r.n('seal',c['seal']),r.q('packages',c['pk']),r.m('gross_weight',c['gw'],0,'plain',' kg'),s.r.randint(1000,9999))
    h='<div style="font:11px Lato,DejaVu Sans"><div style="border-bottom:3px solid #0a7;padding-bottom:5px">%s eRelease <span style="float:right">Printed by user op-desk2 &middot; page 1/1</span></div><h2>Delivery Order %s</h2>'%(s.line,d.n('do_number','DO26%06d'%s.r.randint(1e5,9e5)))
    h+=kv('Issued',d.d('issue_date',s.notice,'d-M-y'))+kv('Bill of lading',d.n('bl_number',s.bl))+kv('Vessel',d.t('vessel',s.ship))+kv('Voyage',d.n('voyage',s.voy))+kv('Terminal',d.t('terminal',s.term[0]))+kv('Free until',d.d('last_free_day',s.lfd,'d-M-y'))+kv('Released to haulier',d.pa('trucker',('Fenwater Haulage Ltd',['Dock Road, Tilbury RM18 7HB'])))+kv('Deliver to',d.pa('deliver_to',s.imp))+kv('Empty return depot',d.t('empty_return','Seabrook Container Park'))
    h+='<h3>Containers (%d)</h3>%s<p>Status: <b>RELEASED</b>. The terminal is authorised to hand over the containers listed to the haulier named above.</p></div>'%(len(s.con),cs)
    return d,page(h,title='Delivery Order')
# ---- 11 booking confirmation label:value
@lay('bc-labels','booking_confirmation')
def _(s):
    d=Doc('booking_confirmation','bc-labels'); d.c('scac',s.scac,s.linefull)
    r=d.row('equipment')
    def kv(c,v): return '<tr><td width=170 style="padding:2px 0">%s</td><td>: %s</td></tr>'%(c,v)
    e=s.etd
    h='<div style="font:11px Liberation Sans"><b style="font-size:20px;letter-spacing:2px">%s</b><h3>BOOKING CONFIRMATION - ORIGINAL</h3><table>'%s.line+kv('Booking Number','<b>'+d.n('booking_number',s.bkg)+'</b>')+kv('Date of Issue',d.d('issue_date',s.bi,'d-M-y'))+kv('Booked by Party',s.fwd[0])+kv('Service Contract','S26%s%d'%(s.pol[0][2:],s.r.randint(100,999)))+kv('Vessel / Voyage',d.t('vessel',s.ship)+' / '+d.n('voyage',s.voy)+' (IMO '+d.n('vessel_imo',s.imo)+')')+kv('Place of Receipt',d.pl('place_of_receipt',s.pol,'n(c)'))+kv('Port of Loading',d.pl('port_of_lading',s.pol,'n(c)'))+kv('Port of Discharge',d.pl('port_of_discharge',s.pod,'n(c)'))+kv('Place of Delivery',d.pl('place_of_delivery',s.pod,'n(c)'))+kv('ETD',d.d('etd',e,'d-M-y'))+kv('ETA',d.d('eta',s.eta,'d-M-y'))+kv('Equipment Type / Q\'ty','%s x %s'%(r.q('quantity',len(s.con)),r.c('size_type',s.tk,TY[s.tk][2])))+kv('Commodity',s.lines[0]['desc'])+kv('Empty Pick up CY',d.t('empty_pickup','Yangshan Sinotrans Depot' if s.pol[0]=='CNSHA' else s.pol[1]+' Inland Depot No. 2'))+'</table><hr><table>'+kv('S/I Cut-off',d.d('si_cutoff',e-D.timedelta(4),'d-M-y','12:00'))+kv('VGM Cut-off',d.d('vgm_cutoff',e-D.timedelta(2),'d-M-y','17:00'))+kv('Port Cut-off (CY)',d.d('cy_cutoff',e-D.timedelta(1),'d-M-y','18:00'))+kv('Customs Cut-off',d.d('customs_cutoff',e-D.timedelta(2),'d-M-y','10:00'))+'</table><p style="font-size:8px">Container weight limit and local regulations apply. No-show fee may be charged for cancellation within 7 days prior to vessel departure.</p></div>'
    return d,page(h,title='Booking')
# ---- 12 booking table with transport plan
@lay('bc-plan','booking_confirmation')
def _(s):
    d=Doc('booking_confirmation','bc-plan'); d.c('scac',s.scac,s.line); r=d.row('equipment'); e=s.etd
    h='<table width=100%% style="background:#00243d;color:#fff"><tr><td style="padding:8px;font-size:17px">%s</td><td class=r style="padding:8px">Booking Confirmation</td></tr></table><table width=100%% cellpadding=4 style="margin-top:6px"><tr style="background:#dde8f0"><th>Booking No.</th><th>Print Date</th><th>From</th><th>To</th><th>Customer Cargo</th></tr><tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr></table>'%(s.line,d.n('booking_number',s.bkg),d.d('issue_date',s.bi,'iso'),d.pl('place_of_receipt',s.pol,'nc'),d.pl('place_of_delivery',s.pod,'nc'),s.lines[0]['desc'])
    h+='<p><b>Equipment</b></p><table cellpadding=4 border=1 width=60%%><tr><th>Quantity</th><th>Size/Type</th><th>Gross Weight</th></tr><tr><td>%s</td><td>%s</td><td>%s KGS</td></tr></table><p><b>Intended Transport Plan</b></p><table width=100%% cellpadding=4 border=1><tr><th>From</th><th>To</th><th>Mode</th><th>Vessel</th><th>Voy No.</th><th>ETD</th><th>ETA</th></tr><tr><td>%s</td><td>%s</td><td>MVS (IMO %s)</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr></table>'%(r.q('quantity',len(s.con)),r.c('size_type',s.tk,TY[s.tk][4]),num(s.gw,0),d.pl('port_of_lading',s.pol,'n'),d.pl('port_of_discharge',s.pod,'n'),d.n('vessel_imo',s.imo),d.t('vessel',s.ship),d.n('voyage',s.voy),d.d('etd',e,'iso'),d.d('eta',s.eta,'iso'))
    h+='<p><b>Load Itinerary</b></p><table width=100%% cellpadding=4 border=1><tr><th>Type</th><th>Location</th><th>Release</th></tr><tr><td>Empty Container Depot</td><td>%s</td><td>%s</td></tr></table><p><b>Deadlines</b></p><table cellpadding=4 width=100%% border=1><tr><th>SI</th><th>VGM</th><th>CY</th></tr><tr><td>%s</td><td>%s</td><td>%s</td></tr></table><p>Please note all times are local.</p>'%(d.t('empty_pickup',s.pol[1]+' Harbour Depot'),fdate(e-D.timedelta(7),'iso'),d.d('si_cutoff',e-D.timedelta(5),'iso','16:00'),d.d('vgm_cutoff',e-D.timedelta(3),'iso','10:00'),d.d('cy_cutoff',e-D.timedelta(2),'iso','23:00'))
    return d,page(h,title='Booking Confirmation')
# ---- 13 CI chinese exporter letterhead
@lay('ci-letterhead','commercial_invoice')
def _(s):
    d=Doc('commercial_invoice','ci-letterhead'); s.cur='USD'; d.pa('seller',s.exp); x=''
    for l in s.lines:
        r=d.row('lines'); x+='<tr><td>%s<td class=r>%s<td>%s<td class=r>%s<td class=r>%s</tr>'%(r.t('description',l['desc'])+'<br>H.S. CODE: '+r.n('hs_code',l['hs']),r.q('quantity',l['qty']),r.t('unit',l['unit']),r.mo('unit_price',l['price'],'USD',2,'en','US$'),r.mo('amount',l['amt'],'USD',2,'en','US$'))
    h='<div style="font:12px Liberation Serif"><center><b style="font-size:17px">%s</b><br>%s<br>TEL: 86-574-8%d<hr><b style="font-size:16px;text-decoration:underline">COMMERCIAL INVOICE</b></center><table width=100%%><tr><td width=60%%>TO: %s</td><td>INVOICE NO.: %s<br>DATE: %s<br>S/C NO.: %s<br>P.O. NO.: %s</td></tr></table><p>FROM %s TO %s BY SEA</p><table width=100%% border=1 cellpadding=3><tr><th>DESCRIPTION OF GOODS<th>QUANTITY<th>UNIT<th>UNIT PRICE<th>AMOUNT</tr><tr><td colspan=3></td><td colspan=2>%s %s</td></tr>%s<tr><td><b>TOTAL</b><td colspan=3><td class=r><b>%s</b></tr></table><p>PAYMENT TERMS: %s</p><p>MARKS: %s</p><p>ALL GOODS ARE OF CHINESE ORIGIN</p><p class=r>%s<br><br>AUTHORIZED SIGNATURE</p></div>'%(s.exp[0].upper(),', '.join(s.exp[1]),s.r.randint(1000000,9999999),d.pa('buyer',s.imp),d.n('invoice_number',s.inv),d.d('issue_date',s.inv_d,'Md,y'),'SC'+s.inv[-4:],d.n('po_number',s.po),s.pol[1].upper(),s.pod[1].upper(),d.c('incoterm','FOB','FOB'),s.pol[1].upper(),x,d.mo('total',s.total,'USD',2,'en','US$'),d.t('payment_terms','30% T/T DEPOSIT, 70% AGAINST COPY OF B/L'),s.mark.replace('\n',' / '),s.exp[0].upper())
    d.c('currency','USD','US$'); d.unj=['lines.origin']
    return d,page(h,title='CI')
# ---- 14 CI UK style VAT block
@lay('ci-vat','commercial_invoice')
def _(s):
    d=Doc('commercial_invoice','ci-vat'); d.c('currency',s.cur,s.cur); x=''
    for i,l in enumerate(s.lines):
        r=d.row('lines'); x+='<tr style="border-bottom:1px solid #ccc"><td>%03d0</td><td>%s</td><td>%s</td><td>%s</td><td class=r>%s %s</td><td class=r>%s</td><td class=r>0%%</td><td class=r>%s</td></tr>'%(i+1,r.t('description',l['desc']),r.n('hs_code',l['hs'].replace('.','')),r.t('origin',s.pol[2]),r.q('quantity',l['qty'],'en'),r.t('unit',l['unit']),r.mo('unit_price',l['price'],s.cur),r.mo('amount',l['amt'],s.cur))
    h='<div style="font:10px Lato"><div style="float:right;font-size:22px;color:#447">Invoice</div><b style="font-size:13px">%s</b><br clear=all><table width=100%% style="margin-top:14px"><tr><td width=34%%><b>Sold to</b><br>%s</td><td width=33%%><b>Deliver to</b><br>%s</td><td><table>'%(d.pa('seller',s.exp),d.pa('buyer',s.imp),'<br>'.join([s.imp[0]]+s.imp[1]))
    for a,b in [('Invoice number',d.n('invoice_number',s.inv)),('Invoice date',d.d('issue_date',s.inv_d,'dMy')),('Your order',d.n('po_number',s.po)),('Terms of delivery',d.c('incoterm','CIF','CIF')+' '+s.pod[1]),('Terms of payment',d.t('payment_terms','Net 60 days from invoice date')),('Currency',s.cur)]: h+='<tr><td style="color:#888">%s</td><td>%s</td></tr>'%(a,b)
    h+='</table></td></tr></table><table width=100%% cellpadding=4 style="margin-top:16px"><tr style="background:#447;color:#fff"><th>Item</th><th>Description</th><th>Commodity code</th><th>Origin</th><th class=r>Quantity</th><th class=r>Price</th><th class=r>VAT</th><th class=r>Amount</th></tr>%s</table><table align=right cellpadding=3><tr><td>Net value</td><td class=r>%s</td></tr><tr><td>VAT 0%% (export)</td><td class=r>0.00</td></tr><tr><td><b>Invoice total %s</b></td><td class=r><b>%s</b></td></tr></table><br clear=all><p>Shipped in container(s): %s</p><p style="font-size:8px">Goods remain our property until paid in full. Bank: Handelsbank, IBAN on request.</p></div>'%(x,num(s.total),s.cur,d.mo('total',s.total,s.cur),', '.join(d.row('containers').n('number',c['no']) for c in s.con))
    return d,page(h,title='Invoice')
# ---- 15 PL simple
@lay('pl-letterhead','packing_list')
def _(s):
    d=Doc('packing_list','pl-letterhead'); x=''
    for l in s.lines:
        r=d.row('lines'); x+='<tr><td>%s<td class=r>%s %s<td class=r>%s %s<td class=r>%s<td class=r>%s<td class=r>%s</tr>'%(r.t('description',l['desc'].upper()),r.q('quantity',l['qty']),l['unit'],r.q('packages',l['pk']),l['pkw'],r.m('net_weight',l['nw'],2,'en','KGS'),r.m('gross_weight',l['gw'],2,'en','KGS'),r.v('volume',l['vol'],2,'en','CBM'))
    h='<div style="font:12px Liberation Serif"><center><b style="font-size:16px">%s</b><br>%s<br><br><b>PACKING LIST</b></center><table width=100%%><tr><td>MESSRS: %s</td><td class=r>INVOICE NO.: %s<br>DATE: %s<br>ORDER NO.: %s</td></tr></table><table width=100%% border=1 cellpadding=3><tr><th>COMMODITY<th>QTY<th>PACKAGES<th>N.W.<th>G.W.<th>MEAS.</tr>%s<tr><td>TOTAL<td><td class=r>%s %s<td class=r>%s<td class=r>%s<td class=r>%s</tr></table><p>SHIPPING MARKS:<br>%s</p><p>CONTAINER/SEAL NO.: %s</p></div>'%(s.exp[0].upper(),', '.join(s.exp[1]),'<br>'.join([s.imp[0]]+s.imp[1]),d.n('invoice_number',s.inv),d.d('issue_date',s.inv_d,'dMy'),d.n('po_number',s.po),x,d.q('packages',s.pk),s.pkw,d.m('net_weight',s.nw,2,'en','KGS'),d.m('gross_weight',s.gw,2,'en','KGS'),d.v('volume',s.vol,2,'en','CBM'),d.pr('marks',s.mark.replace('\n','<br>')),', '.join((lambda r:r.n('number',c['no'])+'/'+r.n('seal',c['seal']))(d.row('containers')) for c in s.con))
    return d,page(h,title='PL')
# ---- 16 PL ERP delivery courier
@lay('pl-erp','packing_list')
def _(s):
    d=Doc('packing_list','pl-erp'); L=[]; a=L.append
    a('%s%50s'%(html.unescape(s.exp[0])[:40],'Page 1 of 1')); a('  '.join(s.exp[1])); a('='*96); a('PACKING SLIP / WEIGHT NOTE'.center(96)); a('='*96)
    a('%-14s: %-34s%-14s: %s'%('Packing no.',d.n('packing_list_number','8%07d'%s.r.randint(1e6,9e6)),'Date',d.d('issue_date',s.inv_d,'eu.'))); a('%-14s: %-34s%-14s: %s'%('Invoice no.',d.n('invoice_number',s.inv),'Customer PO',d.n('po_number',s.po))); a('%-14s: %s'%('Ship-to',s.imp[0])); 
    for y in s.imp[1]: a(' '*16+y)
    a('-'*96); a('%-6s%-44s%8s%7s%10s%10s%9s'%('Pos','Material','Qty','Pkgs','Net kg','Gross kg','m3')); a('-'*96)
    for i,l in enumerate(s.lines):
        r=d.row('lines'); a('%-6s%-44s%8s%7s%10s%10s%9s'%('%04d'%((i+1)*10),r.t('description',l['desc'][:43]),r.q('quantity',l['qty'],'plain'),r.q('packages',l['pk'],'plain'),r.m('net_weight',l['nw'],1,'plain',''),r.m('gross_weight',l['gw'],1,'plain',''),r.v('volume',l['vol'],2,'plain','')))
    a('-'*96); a('%-50s%8s%7s%10s%10s%9s'%('TOTAL','',d.q('packages',s.pk,'plain'),d.m('net_weight',s.nw,1,'plain',''),d.m('gross_weight',s.gw,1,'plain',''),d.v('volume',s.vol,2,'plain',''))); a('');
    for c in s.con:
        r=d.row('containers'); a('Container %s   seal %s'%(r.n('number',cn(c['no'],1)),r.n('seal',c['seal'])))
    a(''); a('Packed by: ____________   Checked by: ____________')
    return d,page('<pre style="font:10px Liberation Mono">'+'\n'.join(html.escape(x) for x in L)+'</pre>',title='Packing slip')
