import json,glob,collections,os
T=collections.Counter();G=collections.Counter();L=set();P=collections.Counter();GT=collections.Counter()
for f in glob.glob(os.path.join('..','files','*.json')):
    j=json.load(open(f)); G[j['group']]+=1; P[j['producer']]+=1
    for d in j['documents']: T[d['type']]+=1; L.add(d['layout']); GT[j['group'],d['type']]+=1
print(G,sum(G.values()));print(T);print(len(L));print(P)
