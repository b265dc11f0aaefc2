import xx3,make; from make import *
M=[l.split('|') for l in '''bl-typed-form|CNYTN GBFXT lamp|chromium||MSCU
bl-draft-portal|VNHPH USOAK furn|chromium|gs|CMDU
bl-terms-back|CLSAI GBSOU wine|chromium||HLCU
swb-express|THLCH AUSYD house|wkhtmltopdf||OOLU
hbl-lcl|CNSHA CATOR lamp|wkhtmltopdf|gs|
bc-feeder|ESVLC USHOU oil|soffice||ZIMU
an-freight-legal|CNTAO USLGB tyre|chromium|qpdf-obj|YMLU
ot-dgd|DEHAM BRSSZ tool|wkhtmltopdf||HMMU
ot-statement|CNNGB USNYC bike|chromium||'''.replace('HMMU','HDMU').split('\n')]
for i,(l,lane,p,rep,sc) in enumerate(M): one('u4-a%02d'%(i+65),'a',l,11100+i,lane,p,rep,scac=sc or None)
