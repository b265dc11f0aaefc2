import en1,en2,sys; from eng import *; from out import *
for i,(n,(t,f)) in enumerate(LAY.items()):
    s=scen(900+i,'CNSHA','USLAX','house'); d,h=f(s); print(n,len(h),len(d.f))
