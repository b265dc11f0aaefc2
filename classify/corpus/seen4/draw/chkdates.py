import re,glob,subprocess,os,unicodedata,json
for f in sorted(glob.glob(os.path.join('..','files','*.pdf'))):
    b=os.path.basename(f)
    if b[3] in 'b': 
        continue
    t=subprocess.run(['pdftotext','-layout',f,'-'],capture_output=True).stdout.decode('utf8','replace')
    ds=re.findall(r'\b(\d{1,2})[/-](\d{1,2})[/-](20\d\d|\d\d)\b',t)
    if ds and not any(int(a)>12 or int(c)>12 for a,c,_ in ds): print(b,'undecided',ds)
    d=any(int(a)>12 for a,c,_ in ds); m=any(int(c)>12 for a,c,_ in ds)
    if d and m: print(b,'both!',ds)
t=subprocess.run(['pdftotext','-layout','../files/u4-a61.pdf','-'],capture_output=True).stdout.decode()
print('NFKC ok' if '2026年2月19日' in unicodedata.normalize('NFKC',t) else 'bad')
