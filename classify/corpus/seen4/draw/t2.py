import xx1; from eng import *
LN={'es':('ESVLC','MXVER'),'fr':('FRLEH','CATOR'),'de':('DEHAM','USNYC')}
for n,(t,f) in LAY.items():
    g=[k for k in('tile','wine','mach') ][['es','fr','de'].index(n[:2])]
    d,h=f(scen(5,*LN[n[:2]],g)); print(n,len(h),len(d.f))
