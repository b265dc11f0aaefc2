"""The forms. '# name type lang dates style'; then T title, L letterhead of the issuer, A of the
carrier, X of another party, B boxes with captions above, K captions left, G grid of titles and values, C containers,
I goods, H charges, P prose, S a stamp."""
TEXT='''
# bl-liner bill_of_lading en w grid
A|T Bill of Lading for Ocean Transport or Multimodal Transport
B Shipper:shipper|B/L No.:bl_number
B Consignee (negotiable only if consigned "to order"):consignee|Booking No.:booking_number
B Notify Party (see clause 22):notify_party|SCAC:scac
B Vessel:vessel|Voyage No.:voyage|Place of Receipt:place_of_receipt
B Port of Loading:port_of_lading|Port of Discharge:port_of_discharge|Place of Delivery:place_of_delivery
P PARTICULARS FURNISHED BY SHIPPER - CARRIER NOT RESPONSIBLE
B Description of Goods:description
C Container No.:number|Seal No.:seal|Type:size_type|Packages:packages|Gross Weight:gross_weight|Measurement:volume
B Freight & Charges:freight_terms|Number of original B/Ls:originals|Shipped on Board Date:on_board_date
B Place of Issue:issue_place|Date of Issue:issue_date
P SHIPPED, as far as ascertained by reasonable means of checking, in apparent good order and condition unless otherwise stated herein, the total number of packages or units indicated above.
# bl-plain bill_of_lading en i bare
A|T ORIGINAL BILL OF LADING
K BILL OF LADING NUMBER:bl_number|EXPORT REFERENCES / BKG:booking_number
B SHIPPER/EXPORTER:shipper|CONSIGNEE:consignee
B NOTIFY PARTY:notify_party
G PRE-CARRIAGE:none|OCEAN VESSEL:vessel|VOY.:voyage|LOADING PORT:port_of_lading|DISCHARGE PORT:port_of_discharge
C CONTAINER:number|SEAL:seal|PKGS:packages#|WEIGHT KGS:gross_weight#|MEAS CBM:volume#
K SAID TO CONTAIN:description|LADEN ON BOARD:on_board_date|ORIGINALS ISSUED:originals|PLACE OF ISSUE:issue_place|DATED:issue_date
S FREIGHT AS ARRANGED
# bl-es bill_of_lading es w grid
A|T CONOCIMIENTO DE EMBARQUE
B Embarcador:shipper|Conocimiento No.:bl_number
B Consignatario:consignee|Reserva No.:booking_number
B Notificar a:notify_party|Flete:freight_terms
B Buque:vessel|Viaje:voyage|Puerto de carga:port_of_lading|Puerto de descarga:port_of_discharge
B Descripción de la mercancía:description
C Contenedor:number|Precinto:seal|Tipo:size_type|Bultos:packages|Peso bruto (kg):gross_weight#|Volumen (m3):volume#
B Fecha de embarque a bordo:on_board_date|Lugar de emisión:issue_place|Fecha de emisión:issue_date
# hbl-fbl house_bill_of_lading en w grid
L|T NEGOTIABLE FIATA MULTIMODAL TRANSPORT BILL OF LADING
P issued subject to UNCTAD/ICC Rules for Multimodal Transport Documents (ICC Publication 481)
B Consignor:shipper|FBL No.:hbl_number
B Consigned to order of:consignee
B Notify address:notify_party
B Place of receipt:place_of_receipt|Ocean vessel:vessel|Port of loading:port_of_lading
B Port of discharge:port_of_discharge|Place of delivery:place_of_delivery
C Marks and numbers / Container:number|Seal:seal|Number of packages:packages|Gross weight:gross_weight|Measurement:volume
B Description of goods:description
B Freight payable:freight_terms|Number of Original FBL's:originals|Place of issue:issue_place|Date of issue:issue_date
S Stamp and signature of forwarder, as carrier
# hbl-nvo house_bill_of_lading en l shade
L|T House Bill of Lading
K HBL No:hbl_number|Master B/L:bl_number|AMS house filer reference:none
B Exporter:shipper|Importer / Consignee:consignee|Also Notify:notify_party
G Vessel / Voyage:vv|From (POL):port_of_lading|To (POD):port_of_discharge|Final destination:place_of_delivery
C Cntr:number|Seal:seal|Size:size_type|Qty:packages|Kgs:gross_weight#|Cbm:volume#
K Commodity:description|Terms:freight_terms|On board:on_board_date|Issued at:issue_place|Issued on:issue_date
# hbl-fr house_bill_of_lading fr w grid
L|T CONNAISSEMENT MAISON (HOUSE B/L)
B Chargeur:shipper|HBL n°:hbl_number
B Destinataire:consignee|Connaissement maître:bl_number
B Partie à notifier:notify_party|Navire:vessel|Voyage:voyage
B Port de chargement:port_of_lading|Port de déchargement:port_of_discharge
C Conteneur n°:number|Plomb:seal|Colis:packages|Poids brut kg:gross_weight#|Volume m3:volume#
K Désignation:description|Mis à bord le:on_board_date|Fait à:issue_place|Le:issue_date
# hbl-zh house_bill_of_lading zh w grid
L|T 货代提单
B 发货人:shipper|分提单号:hbl_number
B 收货人:consignee|主提单号:bl_number
B 通知人:notify_party|船名:vessel|航次:voyage
B 装货港:port_of_lading|卸货港:port_of_discharge|运费:freight_terms
C 箱号:number|封号:seal|箱型:size_type|件数:packages|毛重(KGS):gross_weight#|体积(CBM):volume#
K 货物名称:description|装船日期:on_board_date|签发地点:issue_place|签发日期:issue_date
# swb-line sea_waybill en w grid
A|T NON-NEGOTIABLE SEA WAYBILL
B Shipper:shipper|Waybill No.:bl_number|Carrier's Reference:booking_number
B Consignee:consignee|Notify Address:notify_party
B Vessel / Voyage:vv|Port of Loading:port_of_lading|Port of Discharge:port_of_discharge
C Container No.:number|Seal:seal|Cargo packages:packages|Gross weight:gross_weight|Measurement:volume
B Goods:description
B Freight:freight_terms|Shipped on board:on_board_date|Place and date of issue:issue_place|Issue date:issue_date
# swb-express sea_waybill en i lines
A|T Express Release Waybill
K Sea Waybill:bl_number|Booking ref.:booking_number|Ship:vessel|IMO:vessel_imo|Trip:voyage|Load port:port_of_lading|Discharge port:port_of_discharge
B Shipper (complete name and address):shipper|Consignee (not to order):consignee
C Unit:number|ISO:size_type|Seal:seal|Pieces:packages|Mass (kg):gross_weight#
P No original document needs to be surrendered. Delivery is made to the named consignee upon proof of identity.
K Date of issue:issue_date
# swb-de sea_waybill de d grid
A|T SEEFRACHTBRIEF (SEA WAYBILL)
B Ablader:shipper|Seefrachtbrief-Nr.:bl_number
B Empfänger:consignee|Buchungsnummer:booking_number
B Meldeadresse:notify_party
B Schiff:vessel|Reise:voyage|Ladehafen:port_of_lading|Löschhafen:port_of_discharge
C Container:number|Siegel:seal|Typ:size_type|Packstücke:packages|Bruttogewicht kg:gross_weight#|Maß m3:volume#
K Warenbezeichnung:description|Fracht:freight_terms|An Bord:on_board_date|Ausstellungsdatum:issue_date
# swb-pt sea_waybill pt s lines
A|T CARTA DE PORTE MARÍTIMO (SEA WAYBILL)
B Embarcador:shipper|Consignatário:consignee|Notificar:notify_party
K Nº do waybill:bl_number|Navio:vessel|Viagem:voyage|Porto de embarque:port_of_lading|Porto de descarga:port_of_discharge
C Contêiner:number|Lacre:seal|Volumes:packages|Peso bruto:gross_weight|Cubagem:volume
K Mercadoria:description|Data de embarque:on_board_date|Data de emissão:issue_date
# an-line arrival_notice en w grid
A|T ARRIVAL NOTICE / FREIGHT BILL
G NOTICE NO:notice_number|DATE:issue_date|B/L NO:bl_number|SCAC:scac
B CONSIGNEE:consignee|NOTIFY:notify_party
B VESSEL:vessel|VOYAGE:voyage|ETA:eta|PORT OF LOADING:port_of_lading|PORT OF DISCHARGE:port_of_discharge
B TERMINAL:terminal|FIRMS:firms_code|LAST FREE DAY:last_free_day|G.O. DATE:go_date
C CONTAINER:number|SEAL:seal|SIZE:size_type|PCS:packages|KGS:gross_weight#|CBM:volume#
H CHARGE:description|AMOUNT:amount
P Cargo not picked up by the last free day is subject to demurrage for the account of cargo.
# an-nvo arrival_notice en u shade
L|T Arrival Notice
K Our reference:notice_number|Prepared on:issue_date|Master bill:bl_number|House bill:hbl_number|AMS B/L:ams_number|I.T. number:it_number|I.T. date:it_date
B Consignee:consignee|Notify party:notify_party
G Vessel/Voy:vv|Loaded at:port_of_lading|Discharged at:port_of_discharge|Arrival:eta
K Cargo location:terminal|FIRMS code:firms_code|Pickup no.:pickup_number|Free time expires:last_free_day
C Container#:number|Seal#:seal|Type:size_type|Packages:packages|Weight:gross_weight
H Description:description|Amount due:amount
# an-it arrival_notice it d lines
L|T AVVISO DI ARRIVO
K Avviso n.:notice_number|Data:issue_date|Polizza master:bl_number|Polizza house:hbl_number
B Destinatario:consignee|Notify:notify_party
B Nave:vessel|Viaggio:voyage|Porto di imbarco:port_of_lading|Porto di sbarco:port_of_discharge|Arrivo previsto:eta
C Contenitore:number|Sigillo:seal|Tipo:size_type|Colli:packages|Peso lordo kg:gross_weight#
H Spese:description|Importo:amount
# an-nl arrival_notice nl w grid
L|T AANKOMSTBERICHT
B Ontvanger:consignee|Bericht nr.:notice_number|Datum:issue_date
B Zeeschip:vessel|Reis:voyage|Laadhaven:port_of_lading|Loshaven:port_of_discharge
B B/L nummer:bl_number|Verwachte aankomst:eta|Terminal:terminal
C Containernr.:number|Zegel:seal|Colli:packages|Brutogewicht (kg):gross_weight#|Volume (m3):volume#
# do-us delivery_order en u grid
L|T DELIVERY ORDER
G DATE:issue_date|OUR REF. NO. / D.O. NO.:do_number
P THE MERCHANDISE DESCRIBED BELOW WILL BE ENTERED AND FORWARDED AS FOLLOWS:
B IMPORTING CARRIER / VESSEL:vessel|VOYAGE:voyage|B/L OR AWB NO.:bl_number|HOUSE B/L:hbl_number
B LOCATION OF GOODS:terminal|FIRMS:firms_code|FREE TIME EXP.:last_free_day|PICKUP NO.:pickup_number
B LOCAL DELIVERY BY (DELIVERING CARRIER):trucker|FOR DELIVERY TO:deliver_to
C CONTAINER NO.:number|SEAL NO.:seal|SIZE:size_type|NO. OF PKGS:packages|WEIGHT:gross_weight
K RETURN EMPTY TO:empty_return
S INLAND FREIGHT: PREPAID
# do-plain delivery_order en w bare
L|T Delivery Order
K D/O number:do_number|Issued:issue_date|Trucker:trucker|Pick up at:terminal|Release / pickup no.:pickup_number|Deliver to:deliver_to|Return empty:empty_return|Last free day:last_free_day|Ocean bill:bl_number
C Container:number|Type:size_type|Seal:seal|Kilos:gross_weight#
P Please call 24 hours before delivery. No waiting time will be accepted without approval by phone.
# do-fr delivery_order fr s lines
L|T BON À DÉLIVRER
B Bon n°:do_number|Date:issue_date|Connaissement:bl_number
B Transporteur routier:trucker|Livrer à:deliver_to
K Navire:vessel|Voyage:voyage|Terminal:terminal|Fin de franchise:last_free_day|Restitution du vide:empty_return
C Conteneur:number|Type:size_type|Plomb:seal|Poids brut (kg):gross_weight#
# do-nl delivery_order nl d grid
L|T UITLEVERINGSORDER (DELIVERY ORDER)
B Order nr.:do_number|Datum:issue_date|Pincode / afhaalnummer:pickup_number
B Vervoerder:trucker|Afleveradres:deliver_to
B Zeeschip:vessel|B/L nr.:bl_number|Terminal:terminal|Leeg inleveren:empty_return
C Container:number|Type:size_type|Zegel:seal|Gewicht:gross_weight
# bc-line booking_confirmation en w lines
A|T BOOKING CONFIRMATION
K Booking No.:booking_number|Date:issue_date|SCAC:scac
G Vessel:vessel|Voyage:voyage|IMO No.:vessel_imo|ETD:etd|ETA:eta
B Place of Receipt:place_of_receipt|Port of Load:port_of_lading|Port of Discharge:port_of_discharge|Place of Delivery:place_of_delivery
E Qty:quantity|Equipment:size_type
K Empty pick-up depot:empty_pickup|SI cut-off:si_cutoff|VGM cut-off:vgm_cutoff|CY closing:cy_cutoff
P Late shipping instructions will be rolled. All times are local. Demurrage tariff as published.
# bc-fwd booking_confirmation en m grid
L|T Booking Confirmation to Shipper
B Carrier booking:booking_number|Confirmed on:issue_date|Carrier:carrier
B Mother vessel:vessel|Voy:voyage|Sailing:etd|Arrival:eta
B From:port_of_lading|To:port_of_discharge
E Units:quantity|Size / type:size_type
G Doc closing:si_cutoff|VGM deadline:vgm_cutoff|Gate-in deadline:cy_cutoff|Customs deadline:customs_cutoff
# bc-de booking_confirmation de w grid
A|T BUCHUNGSBESTÄTIGUNG
B Buchungsnummer:booking_number|Datum:issue_date
B Schiff:vessel|Reise-Nr.:voyage|Abfahrt:etd|Ankunft:eta
B Ladehafen:port_of_lading|Löschhafen:port_of_discharge
E Anzahl:quantity|Containertyp:size_type
K Leercontainer-Depot:empty_pickup|Annahmeschluss Dokumente:si_cutoff|VGM-Schluss:vgm_cutoff|Ladeschluss:cy_cutoff
# bc-zh booking_confirmation zh w lines
A|T 订舱确认书
K 订舱号:booking_number|日期:issue_date|船名:vessel|航次:voyage|装货港:port_of_lading|卸货港:port_of_discharge|预计开航:etd|预计到达:eta
E 箱量:quantity|箱型:size_type
K 截单时间:si_cutoff|截VGM:vgm_cutoff|截港时间:cy_cutoff|提空箱堆场:empty_pickup
# ci-classic commercial_invoice en w grid
X shipper|T COMMERCIAL INVOICE
B Seller:seller|Invoice No.:invoice_number|Invoice Date:issue_date
B Buyer:buyer|P.O. No.:po_number|Terms of Delivery:incoterm|Payment:payment_terms
I Description of Goods:description|HS Code:hs_code|Qty:quantity|Unit:unit|Unit Price USD:unit_price#|Amount USD:amount#|Origin:origin
K TOTAL:total
P We certify that this invoice is true and correct. Bank: Jade River Bank, Account 4401-882-1190, SWIFT JRVBCNSH.
# ci-es commercial_invoice es d lines
T FACTURA COMERCIAL
K Factura N.º:invoice_number|Fecha:issue_date|Pedido:po_number|Incoterm:incoterm|Condiciones de pago:payment_terms|Moneda:currency
B Vendedor:seller|Comprador:buyer
I Descripción:description|Código HS:hs_code|Cantidad:quantity|Unidad:unit|Precio unitario:unit_price#|Importe:amount#
K Total factura:total
# ci-de commercial_invoice de d shade
T HANDELSRECHNUNG
B Verkäufer:seller|Käufer:buyer
G Rechnungsnummer:invoice_number|Rechnungsdatum:issue_date|Bestellnummer:po_number|Lieferbedingung:incoterm
I Bezeichnung:description|Zolltarifnr.:hs_code|Menge:quantity|ME:unit|Einzelpreis EUR:unit_price#|Betrag EUR:amount#|Ursprung:origin
K Gesamtbetrag:total|Zahlungsbedingungen:payment_terms
# ci-it commercial_invoice it s grid
T FATTURA COMMERCIALE
B Venditore:seller|Fattura n.:invoice_number|Data fattura:issue_date
B Acquirente:buyer|Ordine:po_number|Resa:incoterm|Pagamento:payment_terms
I Descrizione:description|Quantità:quantity|U.M.:unit|Prezzo unit.:unit_price|Importo:amount
K Totale fattura:total
# ci-zh commercial_invoice zh w grid
T 商业发票
B 卖方:seller|发票号:invoice_number|日期:issue_date
B 买方:buyer|合同订单号:po_number|贸易条款:incoterm|付款方式:payment_terms
I 品名:description|HS编码:hs_code|数量:quantity|单位:unit|单价(USD):unit_price#|金额(USD):amount#
K 合计:total
# pl-classic packing_list en w grid
X shipper|T PACKING LIST
G Packing List No.:packing_list_number|Invoice No.:invoice_number|Date:issue_date|P.O.:po_number
B Shipping Marks:marks
I Description:description|Quantity (pcs):quantity#|Cartons:packages#|N.W. (kgs):net_weight#|G.W. (kgs):gross_weight#|CBM:volume#
K Total packages:packages|Total net weight:net_weight|Total gross weight:gross_weight|Total measurement:volume
# pl-cont packing_list en i lines
X shipper|T Packing / Weight List
K Ref. invoice:invoice_number|Dated:issue_date|Order no.:po_number
C Container:number|Seal:seal
I Item:description|Pieces:quantity#|Packages:packages#|Net:net_weight|Gross:gross_weight
G TOTAL PKGS:packages|TOTAL NET:net_weight|TOTAL GROSS:gross_weight|TOTAL VOLUME:volume
# pl-fr packing_list fr w grid
T LISTE DE COLISAGE
B Liste n°:packing_list_number|Facture n°:invoice_number|Date:issue_date|Commande:po_number
B Marques:marks
I Désignation:description|Quantité:quantity#|Colis:packages#|Poids net kg:net_weight#|Poids brut kg:gross_weight#|Volume m3:volume#
K Nombre total de colis:packages|Poids net total:net_weight|Poids brut total:gross_weight|Volume total:volume
# pl-pt packing_list pt s shade
T ROMANEIO DE CARGA (PACKING LIST)
K Romaneio nº:packing_list_number|Fatura nº:invoice_number|Data:issue_date|Pedido:po_number
I Descrição:description|Quantidade:quantity#|Volumes:packages#|Peso líquido kg:net_weight#|Peso bruto kg:gross_weight#
K Total de volumes:packages|Peso líquido total:net_weight|Peso bruto total:gross_weight
# ce-7501 customs_entry en u grid
P DEPARTMENT OF HOMELAND SECURITY - U.S. Customs and Border Protection
T ENTRY SUMMARY
B 1. Filer Code/Entry Number:entry_number|2. Entry Type:=01 ABI/A|3. Summary Date:=|7. Entry Date:entry_date
B 8. Importing Carrier:vessel|11. Import Date:import_date|12. B/L or AWB Number:bl_number
B 26. Importer of Record Name and Address:importer
I 28. Description of Merchandise:description|29. HTSUS No.:hs_code|31. Net Quantity:quantity|32. Entered Value:amount
P I declare that I am the importer of record and that the statements herein are true and correct.
# ce-sad customs_entry de d grid
T EINFUHRANMELDUNG
P EUROPÄISCHE UNION - Einheitspapier
B A MRN:entry_number|Datum der Anmeldung:entry_date|1 Anmeldung:=IM A
B 8 Einführer / Empfänger:importer|18 Beförderungsmittel:vessel
B 40 Vorpapier B/L:bl_number|Einfuhrdatum:import_date
I 31 Warenbezeichnung:description|33 Warennummer:hs_code|42 Artikelpreis:amount
# ce-fr customs_entry fr s lines
T DÉCLARATION EN DOUANE - IMPORTATION
K MRN:entry_number|Date de la déclaration:entry_date|Importateur:importer|Connaissement:bl_number|Date d'importation:import_date
I Désignation:description|Code SH:hs_code|Valeur:amount
# ce-pt customs_entry pt s bare
T DECLARAÇÃO DE IMPORTAÇÃO
K Número da declaração:entry_number|Data do registro:entry_date|Importador:importer|Conhecimento de embarque:bl_number
I Mercadoria:description|NCM:hs_code|Valor:amount
# coo-us certificate_of_origin en l grid
T CERTIFICATE OF ORIGIN
B 1. Exporter:exporter|Certificate No.:certificate_number
B 2. Consignee:consignee|3. Country of Origin:country_of_origin
B 4. Transport details:vv|5. Invoice No.:invoice_number
I 6. Description of goods:description|7. Quantity:quantity|8. HS:hs_code
B 9. Declared at the Chamber of Commerce on:issue_date
S CHAMBER OF COMMERCE - CERTIFIED
# coo-eu certificate_of_origin it w grid
T CERTIFICATO DI ORIGINE
B 1 Speditore:exporter|N.:certificate_number
B 2 Destinatario:consignee|3 Paese d'origine:country_of_origin
I 6 Denominazione delle merci:description|7 Quantità:quantity
K Fattura n.:invoice_number|Data di rilascio:issue_date
# coo-es certificate_of_origin es w lines
T CERTIFICADO DE ORIGEN
K Certificado N.º:certificate_number|Exportador:exporter|Importador:consignee|País de origen:country_of_origin|Factura:invoice_number|Fecha de expedición:issue_date
I Mercancía:description|Clasificación arancelaria:hs_code
# coo-zh certificate_of_origin zh w grid
T 原产地证明书
B 出口商:exporter|证书号:certificate_number
B 收货人:consignee|原产国:country_of_origin
I 货物描述:description|HS编码:hs_code|数量:quantity
B 发票号:invoice_number|签发日期:issue_date
# fi-fwd freight_invoice en w lines
L|T FREIGHT INVOICE
K Invoice number:invoice_number|Invoice date:issue_date|Due date:due_date|B/L:bl_number
B Bill to:consignee
H Charge description:description|Amount USD:amount#
K Total due:ctotal
P Remit to: Kestrel Harbor Bank, routing 000000000, account 19-44820. Late payment interest 1.5 % a month.
# fi-line freight_invoice en i grid
A|T Invoice - Ocean Freight Charges
B Customer:consignee|Invoice:invoice_number|Date:issue_date|Pay by:due_date
B Bill of lading:bl_number|Vessel/voyage:vv|From:port_of_lading|To:port_of_discharge
H Item:description|Amount:amount
G Currency:currency|Amount payable:ctotal#
# fi-nl freight_invoice nl d shade
L|T VRACHTFACTUUR
K Factuurnummer:invoice_number|Factuurdatum:issue_date|Vervaldatum:due_date|B/L nr.:bl_number
B Debiteur:consignee
H Omschrijving:description|Bedrag EUR:amount#
K Totaal te betalen:ctotal
# fi-pt freight_invoice pt s grid
L|T FATURA DE FRETE MARÍTIMO
B Cliente:consignee|Fatura nº:invoice_number|Emissão:issue_date|Vencimento:due_date
K Conhecimento (B/L):bl_number|Navio:vessel
H Descrição:description|Valor:amount
K Total a pagar:ctotal
# ot-quote other en w lines
L|T RATE QUOTATION
K Quote no.:notice_number|Date:issue_date|Valid until:due_date|From:port_of_lading|To:port_of_discharge
H Item:description|Rate per container:amount
P Rates are subject to GRI, peak season surcharge and space. This is not a booking.
# ot-letter other en l bare
L|P We refer to your claim for the shipment on the vessel named below and have passed it to the insurers of the carrier.
K Our ref.:notice_number|Vessel:vessel|Date of letter:issue_date
P Kindly let us have the survey report and photographs of the damage within fourteen days. Yours faithfully, Claims department
# ot-advice other de d grid
T ZAHLUNGSAVIS
B Empfänger:seller|Avis-Nr.:notice_number|Datum:issue_date
H Position:description|Betrag:amount
P Wir haben den Betrag heute auf Ihr Konto überwiesen.
# ot-nl other nl w lines
L|T OFFERTE ZEEVRACHT
K Offerte nr.:notice_number|Geldig tot:due_date|Van:port_of_lading|Naar:port_of_discharge
H Omschrijving:description|Tarief:amount
P Deze offerte is vrijblijvend en geldt onder voorbehoud van ruimte.
'''
FORMS={}
for part in TEXT.strip().split("\n# "):
    head,*body=part.lstrip("# ").split("\n"); n,typ,lang,df,style=head.split()
    FORMS[n]=dict(name=n,type=typ,lang=lang,df=df,style=style,body=[x for b in body for x in (b.split("|",1) if b[:1] in "AL" and "|" in b else [b] if b[0]!="X" else b.split("|",1)) if x])
