A=[l.split('|') for l in '''es-factura|ESVLC MXVER tile|chromium||
es-aviso|CNNGB ESVLC house|wkhtmltopdf||COSU
es-entregarese|CNYTN ESVLC lamp|chromium|gs|MSCU
es-flete|ESALG PECLL food|soffice||HLCU
es-reserva|ESBCN COCTG tile|chromium||ZIMU
fr-facture|FRLEH CATOR wine|wkhtmltopdf||
fr-colisage|FRFOS USNYC wine|chromium|qpdf-lin|
fr-avis|VNSGN FRLEH furn|chromium||CMDU
fr-bad|CNSHA FRLEH house|wkhtmltopdf||EGLV
fr-eur-co|FRLEH USLAX wine|chromium||
de-rechnung|DEHAM USCHS mach|chromium|qpdf-obj|
de-packliste|DEBRV BRSSZ tool|soffice||
de-avis|VNHPH DEHAM furn|wkhtmltopdf|gs|YMLU
de-fracht|DEHAM USHOU mach|chromium||OOLU
de-zoll|CNYTN DEHAM lamp|chromium||MAEU
it-fattura|ITGOA USNYC oil|chromium||
it-distinta|ITSPE BRSSZ mach|wkhtmltopdf||
it-avviso|CNXMN ITGOA stone|chromium|gs|MSCU
nl-vracht|NLRTM CATOR bulb|wkhtmltopdf||ONEY
nl-pakbon|NLRTM USNYC bulb|soffice||
nl-boeking|NLRTM USSAV bulb|chromium||MAEU
pt-romaneio|BRSSZ DEHAM coffee|wkhtmltopdf||
pt-di|CNNGB BRSSZ lamp|chromium||CMDU
pt-conhecimento|PTLEI USNYC cork|chromium|qpdf-obj|
zh-ci|CNYTN USLAX lamp|chromium||
zh-daohuo|DEHAM CNSHA tyre|chromium||COSU
zh-booking|CNNGB GBFXT house|chromium|qpdf-lin|HDMU
zh-swb|CNTAO AUSYD tyre|chromium||OOLU
de-bestellung|DEHAM USORF mach|chromium||
es-carta|CNSHA ESVLC house|wkhtmltopdf||EGLV'''.split('\n')]
def go(one):
    for i,(l,lane,p,rep,sc) in enumerate(A): one('u4-a%02d'%(i+35),'a',l,5200+i,lane,p,rep,scac=sc or None)
