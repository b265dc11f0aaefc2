import re
src=open('../../truth/vocabulary.go').read()
R='vessel voyage vessel_imo place_of_receipt port_of_lading port_of_discharge place_of_delivery'.split(); C=['containers.'+x for x in 'number seal size_type packages gross_weight volume'.split()]
T=R+C+'bl_number hbl_number booking_number scac shipper consignee notify_party description freight_terms on_board_date issue_place issue_date originals'.split()
AREAS={'bill_of_lading':T,'house_bill_of_lading':T,'sea_waybill':T,
'arrival_notice':R+C+'notice_number issue_date bl_number hbl_number ams_number scac consignee notify_party terminal firms_code eta it_number it_date go_date last_free_day pickup_number charges.description charges.amount'.split(),
'delivery_order':C+'do_number issue_date trucker terminal firms_code pickup_number last_free_day deliver_to empty_return bl_number hbl_number vessel voyage'.split(),
'booking_confirmation':R+'booking_number scac etd eta issue_date equipment.quantity equipment.size_type si_cutoff vgm_cutoff cy_cutoff customs_cutoff empty_pickup'.split(),
'commercial_invoice':'invoice_number issue_date seller buyer po_number incoterm currency total payment_terms lines.description lines.hs_code lines.quantity lines.unit lines.unit_price lines.amount lines.origin bl_number containers.number'.split(),
'packing_list':'packing_list_number invoice_number issue_date po_number packages net_weight gross_weight volume marks lines.description lines.quantity lines.packages lines.net_weight lines.gross_weight lines.volume containers.number containers.seal'.split(),
'customs_entry':'entry_number entry_date import_date importer bl_number'.split(),'certificate_of_origin':'certificate_number country_of_origin exporter invoice_number issue_date'.split(),'freight_invoice':'invoice_number issue_date due_date bl_number currency total'.split(),'other':[]}
for k in AREAS:
    AREAS[k]=set(AREAS[k])|{x.split('.')[0] for x in AREAS[k] if '.' in x}
