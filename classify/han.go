package classify

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hanTerms are terms of Chinese papers, also parts of longer ones, with the captions, titles
// and words that they mean.
var hanTerms = func() map[string]string {
	all := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(`
		BILL OF LADING = 提单 海运提单 提單
		HOUSE BILL OF LADING = 分提单 货代提单 分单
		MASTER BILL OF LADING = 主提单 总提单 主单
		SEA WAYBILL = 海运单 电放提单
		NO = 号 号码 單號 号数
		BOOKING = 订舱 订舱单 定舱
		BOOKING CONFIRMATION = 订舱确认书 订舱确认 订舱确认单 订舱回执
		ARRIVAL NOTICE = 到货通知 到货通知书 到港通知 到港通知书 抵港通知 抵港通知书 到船通知
		DELIVERY ORDER = 提货单 放货单 交货单 送货单 派车单
		COMMERCIAL INVOICE = 商业发票 商業發票 形式发票
		INVOICE = 发票 發票
		FREIGHT INVOICE = 运费发票 海运费发票 运费账单 费用账单 账单
		PACKING LIST = 装箱单 裝箱單 装箱清单
		CERTIFICATE OF ORIGIN = 原产地证书 原产地证明书 原产地证 产地证
		CERTIFICATE = 证书 证明书
		CUSTOMS ENTRY = 报关单 货物报关单 进口报关单 海关进口货物报关单 进口货物报关单
		SHIPPER = 发货人 托运人 發貨人 付货人
		CONSIGNEE = 收货人 收貨人 致收货人
		NOTIFY PARTY = 通知人 通知方 被通知人 通知方名称
		EXPORTER = 出口商 出口人
		IMPORTER = 进口商 进口人 收发货人 境内收货人 收货单位
		SELLER = 卖方 卖家 供应商 销售方
		BUYER = 买方 买家 客户 购买方 付款方
		VESSEL = 船名 船舶 船舶名称 运输工具名称
		VESSEL VOYAGE = 船名航次 船名及航次
		VOYAGE = 航次 航次号
		PLACE OF RECEIPT = 收货地 收货地点 接货地
		PORT OF LOADING = 装货港 装运港 起运港 启运港 裝貨港 装船港 起始港
		PORT OF DISCHARGE = 卸货港 目的港 卸貨港 卸港
		PLACE OF DELIVERY = 交货地 交货地点 交付地 最终目的地 目的地
		CONTAINER = 集装箱 货柜 箱 柜
		CONTAINER NO = 箱号 集装箱号 柜号 货柜号 集装箱编号
		SEAL NO = 封号 铅封号 封条号 铅封 封志号
		SIZE TYPE = 箱型 柜型 箱型尺寸 尺寸箱型 箱类型 箱型箱类
		EQUIPMENT = 箱型箱量
		NUMBER OF CONTAINERS = 箱量 柜量
		PACKAGES = 件数 总件数 箱数 包装件数
		GROSS WEIGHT = 毛重 总毛重
		NET WEIGHT = 净重 总净重
		MEASUREMENT = 体积 尺码 总体积 立方数
		KG = 公斤 千克
		CBM = 立方米
		DESCRIPTION OF GOODS = 货物描述 品名 货名 货物名称 商品名称 货物品名 商品描述 货物说明 名称及规格
		MARKS = 唛头 标记唛码 嘜頭 唛头及号码
		FREIGHT = 运费 海运费
		FREIGHT TERMS = 运费条款 付费方式 运费支付方式
		PREPAID = 预付 已付
		COLLECT = 到付
		ON BOARD DATE = 装船日期 已装船日期 装运日期 上船日期
		DATE OF ISSUE = 签发日期 开票日期 发票日期 出单日期 制单日期 开具日期 签单日期
		PLACE OF ISSUE = 签发地点 签发地 签单地点
		DATE = 日期
		ORIGINALS = 正本份数 正本提单份数 正本数量
		ETA = 预计到港 预计到达 预计抵港 预计到港日 预计抵港时间 预抵 预计到港日期 预计抵达日期 到港日期 预计到达日期 抵港日期
		ETD = 预计开航 预计开航日 预计离港 预计开船 开航日 预计离港日期 开航日期 离港日期 开船日期 预计开航日期
		LAST FREE DAY = 免箱期至 免箱期截止 免费用箱期至 免费用箱期截止 免费期至 最后免费日 免堆期至 免费堆存至 免费堆存期至 免堆截止日 免费期截止 最后免费提货日 免费堆存截止日 免费堆存期截止 免堆存期至 免费用箱截止日
		TERMINAL = 码头 卸货码头 提货码头 提货地点 堆场 停靠码头
		PICKUP NO = 提货码 提货密码 提货号 提柜号
		NOTICE NO = 编号 通知编号 通知号 通知书编号 通知单号
		TRUCKER = 车队 承运车队 拖车公司 承运司机 运输公司 拖车行
		DELIVER TO = 送货地址 交货地址 派送地址 送货至
		EMPTY RETURN = 还箱点 还空地点 还箱地点 还柜地点 空箱返还地点
		EMPTY PICKUP = 提箱点 提空地点 提空箱地点 提箱地点 提柜地点
		SI CUTOFF = 截单 截单时间 截补料 截补料时间 截提单补料时间 补料截止
		VGM CUTOFF = 截VGM VGM截止 VGM截止时间
		CY CUTOFF = 截港 截港时间 截重 截柜时间 截重柜 进港截止
		CUSTOMS CUTOFF = 截关 截关时间 截放行 报关截止
		INVOICE NO = 发票号 发票号码 发票编号
		PO NO = 订单号 采购订单 采购订单号 客户订单号
		CONTRACT NO = 合同号 合同编号
		TERMS OF DELIVERY = 贸易条款 价格条款 贸易术语 成交方式 交货条款
		PAYMENT TERMS = 付款方式 付款条件 支付方式 付款条款
		CURRENCY = 币种 币制 货币
		TOTAL = 总计 合计 总额 共计
		TOTAL AMOUNT = 总金额 总值 合计金额 应付总额
		AMOUNT = 金额 总价
		UNIT PRICE = 单价
		QUANTITY = 数量
		UNIT = 单位
		HS CODE = 税则号 海关编码 商品编码 编码 税号
		COUNTRY OF ORIGIN = 原产国 原产地 产地
		ENTRY NO = 报关单号 海关编号
		DATE OF ENTRY = 申报日期
		IMPORT DATE = 进口日期
		DUE DATE = 到期日 付款到期日 应付日期
		CHARGES = 费用 费用项目 收费项目
		CARRIER = 承运人 船公司
		TEL = 电话
		FAX = 传真
		REMARKS = 备注 注意事项
		ADDRESS = 地址
		CONTACT = 联系人
		PAGE = 页 页码
	`), "\n") {
		is, of, _ := strings.Cut(line, "=")
		for _, o := range strings.Fields(of) {
			all[o] = strings.TrimSpace(is)
		}
	}
	return all
}()

// hanPorts are ports by their Chinese names.
var hanPorts = map[string]string{
	"上海": "CNSHA", "宁波": "CNNGB", "深圳": "CNSZX", "盐田": "CNYTN", "蛇口": "CNSHK", "青岛": "CNTAO", "天津": "CNTXG", "新港": "CNTXG", "厦门": "CNXMN", "大连": "CNDLC", "广州": "CNCAN", "南沙": "CNNSA", "连云港": "CNLYG", "福州": "CNFOC", "香港": "HKHKG", "高雄": "TWKHH", "基隆": "TWKEL",
	"汉堡": "DEHAM", "不来梅": "DEBRE", "鹿特丹": "NLRTM", "安特卫普": "BEANR", "勒阿弗尔": "FRLEH", "费利克斯托": "GBFXT", "热那亚": "ITGOA", "巴塞罗那": "ESBCN", "瓦伦西亚": "ESVLC", "洛杉矶": "USLAX", "长滩": "USLGB", "奥克兰": "USOAK", "西雅图": "USSEA", "纽约": "USNYC", "萨凡纳": "USSAV", "休斯顿": "USHOU",
	"新加坡": "SGSIN", "釜山": "KRPUS", "东京": "JPTYO", "横滨": "JPYOK", "神户": "JPUKB", "大阪": "JPOSA", "胡志明": "VNSGN", "海防": "VNHPH", "巴生": "MYPKG", "林查班": "THLCH", "雅加达": "IDJKT", "那瓦西瓦": "INNSA", "杰贝阿里": "AEJEA", "桑托斯": "BRSSZ", "悉尼": "AUSYD", "墨尔本": "AUMEL", "温哥华": "CAVAN",
}

// translate replaces what a text has in Chinese by what it means. Letters that are no term
// are left out: names have no meaning, and most papers are in English too.
func translate(s string) string {
	if !strings.ContainsFunc(s, han) {
		return s
	}
	var b strings.Builder
	for s != "" {
		at := strings.IndexFunc(s, han)
		if at < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:at] + " ")
		end := strings.IndexFunc(s[at:], func(r rune) bool { return !han(r) })
		if end < 0 {
			end = len(s) - at
		}
		b.WriteString(terms(s[at:at+end]) + " ")
		s = s[at+end:]
	}
	return b.String()
}

// terms are the terms that letters consist of, the longest first; none if a letter is left.
func terms(run string) string {
	const longest = 12
	var all []string
	run = strings.TrimPrefix(run, "中华人民共和国")
	for run != "" {
		runes := []rune(run)
		n := min(len(runes), longest)
		for ; n > 0; n-- {
			if is := cmp.Or(hanTerms[string(runes[:n])], hanPorts[string(runes[:n])]); is != "" {
				all = append(all, is)
				break
			}
		}
		if n == 0 {
			if !strings.ContainsRune("的及和与或书单者港市", runes[0]) {
				return ""
			}
			n = 1
		}
		run = string(runes[n:])
	}
	return strings.Join(all, " ")
}

func han(r rune) bool { return r >= 0x2E80 && unicode.Is(unicode.Han, r) }

// cutAtColon parts a word in two behind a wide colon, which has no space behind it.
func cutAtColon(w *word) []*word {
	before, after, ok := strings.Cut(w.Text, "：")
	if !ok || after == "" || before == "" {
		return []*word{w}
	}
	first, second := *w, *w
	first.Text, second.Text = before+"：", after
	share := float64(wide(first.Text)) / float64(wide(w.Text))
	first.Box.Right = w.Box.Left + share*(w.Box.Right-w.Box.Left)
	second.Box.Left = first.Box.Right
	first.pieces, second.pieces = pieces(first.Text), pieces(second.Text)
	return []*word{&first, &second}
}

// wide is the width of a text in halves of a Chinese letter.
func wide(s string) (n int) {
	for _, r := range s {
		if n++; utf8.RuneLen(r) > 2 {
			n++
		}
	}
	return max(n, 1)
}
