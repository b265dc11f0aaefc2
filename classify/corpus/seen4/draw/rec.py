# how many containers and bill numbers the OCR layer of group c shows
import json,glob,subprocess,re,os
for f in sorted(glob.glob(os.path.join('..','files','u4-c*.json'))):
    j=json.load(open(f)); t=subprocess.run(['pdftotext','-layout',f[:-4]+'pdf','-'],capture_output=True).stdout.decode('utf8','replace')
    n=re.sub(r'[^A-Z0-9]','',t.upper()); F=j['documents'][0]['fields']; v=[]
    for k,x in F.items():
        if isinstance(x,str) and re.fullmatch('[A-Z0-9]{5,}',x): v.append((k,x))
        if isinstance(x,list): v+= [(k,y) for r in x for y in r.values() if isinstance(y,str) and re.fullmatch('[A-Z0-9]{7,}',y)]
    print(f[-8:-5],len(v),[y for y in v if y[1] not in n])
