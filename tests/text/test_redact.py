"""Credentials go, everything else stays. A `~` inside a sample only keeps scanners of repositories quiet."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distill.text.redact import redact

#: Before the secret | the secret | after it | kind
SECRETS = """
I pushed it with |AK~IAQQ7RSTUVWX2Y3Z4A| by mistake | aws key
AWS_ACCESS_KEY_ID=|AS~IAQQ7RSTUVWX2Y3Z4A|  | aws key
aws_secret_access_key = |wJalrXUtnFEMI/K7MDENG/bPxRfiCYzz9mPl3qKe|  | api key
The .env has a token |gh~p_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8|; rotate it. | github token
用 |gh~o_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8| 拉代码 | github token
密钥gh |git~hub_pat_11ABCDEFG0abcdefghij_KLMNOPQRSTUVWXYZ0123456789| 过期了 | github token
git clone with |gl~pat-Ab3dEf6hIj9lMn2pQr5t|. | gitlab token
slack bot |xo~xb-123456789012-abcdefABCDEF123456789012|, please | slack token
post to https://hooks.slack.com/services/|T0AB12CD3/B0EF45GH6/aZ9bY8cX7dW6eV5fU4gT3hS2|  | webhook
https://open.feishu.cn/open-apis/bot/v2/hook/|0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0|  | webhook
企业微信 https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=|0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0| 发通知 | webhook
stripe |sk_~live_51AbCdEfGhIjKlMnOpQrStUv| | stripe key
stripe |rk_~test_51AbCdEfGhIjKlMnOpQrStUv| | stripe key
STRIPE_HOOK |wh~sec_AbCdEfGhIjKlMnOpQrStUvWxYz012345| | stripe key
API_KEY=|sk-~proj-Abc0def1Ghi2jkl3Mno4pqr5Stu6vwx7|  | openai key
export ANTHROPIC_API_KEY=|sk-~ant-api03-Ab_Cd-Ef0123456789| && run | anthropic key
密钥是 |sk-~0123456789abcdef0123456789abcdef|，别提交 | api key
use |sk-~or-v1-0123456789abcdef0123456789abcdef0123456789abcdef| for now | api key
maps |AI~zaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q| | google key
oauth |ya~29.a0AbCdEfGhIjKlMnOpQr-St_Uv| | google token
download with |hf~_AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh| | hugging face token
//registry.npmjs.org/:_authToken=|np~m_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8| | npm token
upload with |py~pi-AgEIcHlwaS5vcmcCJDAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1| | pypi token
mail |S~G.AbCdEfGhIjKlMnOpQrStUv.AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfG| | sendgrid key
twilio |S~K0123456789abcdef0123456789abcdef| | twilio key
do |do~p_v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef| | digitalocean token
bot |123456789:A~AHabcdefghijklmnopqrstuvwxyz0123456| started | telegram token
jwt: |ey~JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P|. | jwt
-H "Authorization: Bearer |a8f5f167f44f4964e6c998dee827110c|" | bearer token
Authorization: Basic |YWxhZGRpbjpvcGVuc2VzYW1l| | basic auth
Authorization: token |0123456789abcdef0123456789abcdef01234567| | authorization
connect to postgres://svc:|Hunter22fake|@db.internal:5432/app. | password
redis://:|p4ss#word|@cache:6379/0 | password
mongodb+srv://admin:|s3cr3t@2024|@cluster0.example.net/db?retryWrites=true | password
git remote https://oauth2:|0a1b2c3d4e5f60718293|@git.example.org/a.git | password
curl -H 'Cookie: sessionid=|q7w8e9r0t1y2u3i4o5p6|' https://x.example | cookie
Set-Cookie: sid=|s%3Aq7w8e9r0t1y2u3i4|; Path=/; HttpOnly | cookie
curl -s -u admin:|Tr0ub4dor| https://x.example/api | password
mysql -uroot -p|S3cretPw| app < dump.sql | password
sshpass -p '|S3cretPw|' ssh root@host | password
PGPASSWORD=|swordfish| psql -U app | password
DB_PASS=|abcd1234| | password
JWT_SECRET=|supersecretvalue| | secret
"password": "|hunter2|", | password
{"client_secret": "|q7w8e9r0t1y2u3i4o5p6|"} | secret
\\"api_key\\": \\"|q7w8e9r0t1y2u3i4o5p6|\\" | api key
password: '|correct-horse|' | password
passphrase: "|correct horse battery staple|" | password
password is |hunter2|. | password
the admin password is now |Adm1n!2024|, change it | password
set the root password to |Zx9!qwer| | password
the password for staging is `|tiger-lily-7|` | password
pwd: |letmein| | password
pwd=|x9y8z7|; | password
the token is |f3a9c2e1b8d7064512ab| | token
my api key is |f3a9c2e1b8d7064512ab| | api key
API key (prod): |Kq82hdLs01mZpQ7x| | api key
--api-key |Kq82hdLs01mZpQ7x| | api key
login --password |opensesame| --user bob | password
const password = "|s3cr3t-pw|"; | password
password: str = "|s3cr3t-pw|" | password
os.environ["API_TOKEN"] = "|Kq82hdLs01mZpQ7x|" | token
Server=db;User Id=sa;Password=|Str0ngPass|;Database=app | password
AccountName=x;AccountKey=|q7w8e9r0t1y2u3i4o5p6q7w8e9r0t1y2u3i4o5p6==|;EndpointSuffix=y | api key
https://x.example/cb?access_token=|Kq82hdLs01mZpQ7xKq82|&state=1 | token
<password>|hunter2|</password> | password
| password | |Tr0ub4dor| | | password
**Password:** |Tr0ub4dor| | password
密码：|abc123| | password
密码是|hunter2|。 | password
数据库密码是 |Passw0rd!|，不要外传 | password
密码改成了|Qwer1234| | password
账号 admin 密码 |admin123| | password
账号 admin，密码|Admin@2024|。 | password
口令：|opensesame9| | password
口令为「|open-sesame-7|」 | password
邮箱授权码是 |abcdefghijklmnop| | password
登录密码为 |123456| | password
密钥为 |9f8e7d6c5b4a39281706f5e4d3c2b1a0| | api key
密钥（生产）：|9f8e7d6c5b4a39281706f5e4d3c2b1a0| | api key
token 是 |9f8e7d6c5b4a39281706| | token
令牌：|9f8e7d6c5b4a39281706| | token
AppSecret：|9f8e7d6c5b4a39281706f5e4d3c2b1a0| | secret
阿里云 |LT~AI5tAbCdEfGhIjKlMnOpQr| 要换 | aliyun key
腾讯云 |AK~IDAbCdEfGhIjKlMnOpQrStUvWxYz0123456789| | tencent cloud key
SecretKey: |AbCdEf0123456789GhIjKlMnOpQrStUv| | api key
My db password is |Sunshine99| and user is root | password
user: admin, pass: |Sunshine99| | password
host=db user=app password=|sunshine| dbname=x | password
root:|Sunshine99|@tcp(127.0.0.1:3306)/app | password
密码就是|admin888| | password
密码我改成 |Qwe!23456| 了 | password
初始密码为|Aa123456|，登录后修改 | password
redis 密码设为 |r3d1s-pw| | password
小程序密钥 |0123456789abcdef0123456789abcdef| | api key
X-API-Key: |4f9d8a7b6c5e| | api key
export SECRET_KEY='|django-insecure-x$k3!m9q@w|' | api key
STRIPE_KEY=|4eC39HqLyjWDarjtT1zdp7dc| | credential
amqp://guest:|guest|@rabbit:5672 | password
docker login -u bob -p |Sunshine99| registry.example | password
kubectl create secret generic db --from-literal=password=|Sunshine99| | password
CREATE USER app IDENTIFIED BY '|Sunshine99|'; | password
<add key="Password" value="|Sunshine99|" /> | password
password => '|Sunshine99|', | password
spring.datasource.password=|Sunshine99| | password
"password": "|(Ab12cd34|" | password
Authorization: ApiKey |c3VuOnNoaW5lMTIzNDU2| | authorization
X-Auth-Token: |gAAAAABkq1w2e3r4t5y6u7| | token
refresh_token=|1a2b3c4d5e6f7g8h| | token
document.cookie = "token=|abcdef1234567890|" | cookie
wifi 密码 |12345678| | password
Password changed to |Winter2024!| | password
登录令牌 token=|q4_QUAYlampQUAYlamp3| 先不换 | token
the relay token is |m2-NorthPierLampOil|. | token
令牌是 |u7_HarbourGate29|，别外传 | token
密钥：|h5_QuayLampNorth| | api key
https://x.example/hook?token=|p4_NorthPierToken|&page=2 | token
RELAY_TOKEN=|usr_pier_48213| | token
助记词：|abandon ability able about above absent absorb abstract absurd abuse access accident| | recovery phrase
"""
SURVIVORS = """
fixed in 3f2a9c1
commit 9fceb02d0ae598e95dc970b74767f19372d61af8 fixes the token refresh
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
the digest is 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
md5 d41d8cd98f00b204e9800998ecf8427e
session 550e8400-e29b-41d4-a716-446655440000
"sessionId":"550e8400-e29b-41d4-a716-446655440000"
"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="
src/auth/password_reset_token.py
/etc/ssl/private/server.key
token file: /var/run/secrets/token
password = get_password()
password = user.password
password = os.environ["DB_PASSWORD"]
os.environ["API_KEY"]
os.getenv("API_KEY", "")
process.env.API_KEY
const token = await getToken(user);
const token = req.headers.authorization;
token = tokens[0]
password: str
password: Optional[str] = None
password?: string;
token: Token
token: AccessToken
login(user, password=password)
login(user=user, token=token)
password=db_password
if password == "":
"API_KEY": "OPENAI_API_KEY"
api_key=settings.api_key
self.secret = secret
password_hash = hash_password(password)
password VARCHAR(255) NOT NULL
the password is required
password is stored hashed
passwords are hashed with argon2id
password: required
password: hashed with bcrypt
Password: bcrypt
password must be at least 8 characters
password is at least 12 characters long
the password is 8 characters or more
password hashing: argon2id
the token is valid for 3600 seconds
the token is refreshed automatically
token: JWT
token: 4096
tokens: 4096
max_tokens=1000
total_tokens: 123456
token_count = 98765432
token budget: 128000
access token: 15m, refresh token: 30d
token expires in 15 minutes
secret: db-credentials-v2
secretName: app-tls-cert
the secret is kept in Vault
API_KEY=<your-key>
API_KEY=your-api-key
API_KEY=xxxxxxxx
API_KEY=****
API_KEY=sk-****
API_KEY=$TOKEN
API_KEY=${TOKEN}
password: {{ db_password }}
password: ********
--token $GITHUB_TOKEN
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
bearer authentication is used
postgres://svc:${DB_PASSWORD}@db:5432/app
postgres://svc:****@db:5432/app
http://localhost:8080/path
https://example.com:8443/a?user=me@example.com
git@github.com:owner/repo.git
docker run -u 1000:1000 image
Cookie: theme=dark; lang=en
cookies: SameSite=Lax; HttpOnly
the API key is read from the environment
the API key is missing
use the primary key user_id
cache key: user_2026_03_02
public key in id_ed25519.pub
keyboard shortcuts: ctrl-k
tokenizer: o200k_base
the secret scanner found 3f2a9c1b
the disk-usage of task-runner-0123456789abcdef
.sk-toggleable__content pre
sk-learn-contrib/imbalanced-learn
pass: 12, fail: 1
token=refresh_token_v2
token=v2_refresh_handler
load(token=m_AccessGrant2, page=1)
token = s_AccessGrant2
secret=db-credentials-v2
bearer: use_HarbourGate29
refresh the token at harbour-gate-29
密码不能为空
密码：不少于 8 位
密码是必填项
密码为 bcrypt 加密存储
密码长度 8-16 位
密码用 argon2id 哈希
密码是 8 位以上
密码：8-16位
密码错误时提示重试
密钥轮换周期 90 天
密钥放在环境变量 API_KEY 里
密钥保存在 Vault
token 有效期 7200 秒
token 是 JWT
token 数：4096
口令不要写进代码
令牌桶限流 100 次
验证码 5 分钟过期
凭证存 keychain
提交 9fceb02d0ae598e95dc970b74767f19372d61af8 修复 token 刷新
password policy: min 12 chars, 1 digit
the password must contain a digit and 1 symbol
Password: at least 8 characters
password: string (required, min 8)
password: 'string'
"password": {"type": "string"}
"password": { "minLength": 8 }
password: z.string().min(8)
password: yup.string().required()
password = models.CharField(max_length=128)
password = forms.CharField(widget=forms.PasswordInput)
password: bytes
password: "required|min:8"
password: process.env.DB_PASSWORD!
password: config.get('db.password')
password: ${{ secrets.DB_PASSWORD }}
token: ${{ secrets.GITHUB_TOKEN }}
env: GITHUB_TOKEN
uses: actions/checkout@v4
secrets: inherit
secret: my-secret
secretKeyRef:
secret_key: !vault |
token = request.headers["X-Token"]
token = data.get("token")
token = secrets.token_urlsafe(32)
token := jwt.NewWithClaims(jwt.SigningMethodHS256, claims)
const { token } = useAuth();
token => token.type === 'x'
if token != nil {
if token == None:
token_type: bearer
"token_type": "Bearer"
tokenizer = AutoTokenizer.from_pretrained("gpt2")
token_ids: [101, 2023, 102]
The token bucket is refilled at 100 req/s
tokens/s: 45.2
tokens: 1.2M
input tokens: 12,345
output tokens = 3400
cost per 1k tokens: $0.002
context window: 200k tokens
token limit is 128000
token usage is 45%
token: string | null
token?: string
api_key: str | None = None
api_key: Optional[str] = Field(default=None)
apiKey: string;
apiKey: process.env.OPENAI_API_KEY
api key is optional
api key is stored in 1Password
API keys rotate every 90 days
API key: required
API key: see 1Password
secret is rotated by Vault every 30d
The secret to good code is simplicity
secret santa 2024
the password reset email
password reset link expires in 24h
forgot password? click here
Password strength: weak
password-protected zip
password field is hidden
change password to use argon2id
migrate password hashing to bcrypt12
switch the password hash to sha256
passwords are compared in constant time
set password to null
set token to an empty string
set the token to expire after 15m
set secret to the value from Vault
auth: JWT + refresh token
Auth: OAuth2 with PKCE
auth token is kept in httpOnly cookie
access token TTL: 15min
access token = 15 minutes
refresh token: 7 days
session token: stored in Redis
bearer tokens are rejected
basic authentication over https
basic understanding of python
Authorization header is missing
Authorization: required
cookie: HttpOnly, Secure
cookie-parser middleware
cookie: session
Set-Cookie: Path=/; HttpOnly; SameSite=Lax
pass: the function argument
pass=True
tests pass: 128
pass rate: 98.5%
pwd
cd $(pwd) && ls
pwd: /home/user/project
PWD=/root/app
OLDPWD=/root
cwd and pwd=/srv/www/app1
private key file: ~/.ssh/id_rsa
private key is in /etc/ssl/private/site.key
ssh-key: id_ed25519
--key server.key --cert server.crt
primary_key=True
foreign_key: user_id
partition_key: tenant#2024
sort_key = "created_at_2024"
key: value
"key": "a1b2c3d4e5f6a7b8c9d0"
cache_key = f"user:{user_id}:v2"
keyboard: qwerty
react key is index_12345
license key is optional
encryption key: AES-256-GCM
encryption key is 256 bits
signing key: RS256
密码加密方式：bcrypt
密码：至少 8 位，包含字母和数字
密码规则：8-20 位
密码：bcrypt(cost=12)
密码：加盐哈希
密码是用户自己设的
密码是否正确
密码为空时返回 400
密码用 bcrypt12 存
密码改成 argon2id 存储
密码改为可选
密码改成必填
密码字段改为 password_hash
密码表 user_password2
密码 MD5 加盐
密码输错 5 次锁定 30 分钟
密码有效期90天
密码 8 位
密码重置 token 24 小时过期
修改密码接口 /api/v1/password
忘记密码页面用 ForgotPassword.vue
口令长度 16
密钥是 256 位
密钥：AES-256
密钥用 KMS 管理
密钥：从环境变量 JWT_SECRET 读取
密钥不要提交到 git
token 为空
token 是 null
token 用 JWT，有效期 2h
token 放 Authorization 头
token 存 localStorage
token 刷新用 refreshToken
token 长度 4096
token 消耗 12345
token：3.2k
token 数量为 128000
token 估算 = 0.948*n
令牌：JWT
凭证：发票 20240101
凭证号：2024010112345
凭证类型：记账凭证
授权码模式 authorization_code
授权码：authorization_code
暗号：天王盖地虎
key 是 user_id
key 是主键
key 为 order:{id}
session: 3f2a9c1b-1111-2222-3333-444455556666
trace id 4bf92f3577b34da6a3ce929d0e0e4736
etag "33a64df551425fcc55e4d42a148795d9f25f89d4"
go.sum h1:4z8jRVKzZ2bV8l3dZ0rGhXJ9Fq8h3r0QnT6Yw1m2p3k=
"resolved": "https://registry.npmjs.org/a/-/a-1.0.0.tgz#0123456789abcdef0123456789abcdef01234567"
--hash=sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
image: app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0 user@host
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk
http://user@example.com/path
mailto:me@example.com
ssh://git@github.com:22/x/y.git
redis://localhost:6379/0
postgres://postgres@localhost:5432/app
npm:lodash@4.17.21
root@10.0.0.5:/srv
scp app.tar root@10.0.0.5:/srv
curl -u $USER:$TOKEN https://x
curl -b cookies.txt https://x
mysql -uroot -p app
mysql -h db -P 3306 -p
mysql 8.0 -> 8.4 upgrade -planned
docker run -p 8080:80 mysql
docker login ghcr.io -u bob --password-stdin
use the password manager 1Password8
the mnemonic is stored offline only and never leaves the device at any time
"""


def _secrets() -> list[tuple[str, str, str, str]]:
    cases = []
    for line in SECRETS.strip().splitlines():
        body, _, kind = line.replace("~", "").rpartition("|")
        table = body.startswith("| password | |")
        if table:
            cases.append(("| password | ", "Tr0ub4dor", " |", kind.strip()))
            continue
        before, secret, after = body.split("|")
        cases.append((before, secret, after.rstrip(), kind.strip()))
    return cases


@pytest.mark.parametrize(("before", "secret", "after", "kind"), _secrets())
def test_masks_exactly_the_secret(before: str, secret: str, after: str, kind: str) -> None:
    text, counts = redact(before + secret + after)
    assert text == f"{before}[redacted: {kind}]{after}"
    assert counts == {kind: 1}
    assert redact(text) == (text, {})


@pytest.mark.parametrize("text", SURVIVORS.strip().splitlines())
def test_leaves_everything_else_whole(text: str) -> None:
    assert redact(text) == (text, {})


def test_there_are_many_of_both_sorts() -> None:
    assert len(_secrets()) >= 60
    assert len(SURVIVORS.strip().splitlines()) >= 60


BODY = "\n".join("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7" + 12 * letter for letter in "ABC")


@pytest.mark.parametrize("label", ["PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY"])
def test_masks_a_whole_key_block(label: str) -> None:
    block = f"-----BEGIN {label}-----\n{BODY}\nabc=\n-----END {label}-----"
    assert redact(f"key:\n{block}\ndone") == ("key:\n[redacted: private key]\ndone", {"private key": 1})


def test_masks_a_key_block_on_one_line() -> None:
    block = f"-----BEGIN PRIVATE KEY-----\n{BODY}\n-----END PRIVATE KEY-----"
    for text in (block.replace("\n", " "), block.replace("\n", "\\n"), block.replace("\n", "\r\n")):
        assert redact(f'"{text}"') == ('"[redacted: private key]"', {"private key": 1})


def test_masks_a_pgp_key_block() -> None:
    block = f"-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: X 1\n\n{BODY}\n=aB3d\n-----END PGP PRIVATE KEY BLOCK-----"
    assert redact(block) == ("[redacted: private key]", {"private key": 1})


def test_masks_a_key_block_that_was_cut() -> None:
    head = f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}"
    assert redact(f"see\n{head}\nand fix it") == ("see\n[redacted: private key]\nand fix it", {"private key": 1})
    tail = f"{BODY}\nab12cd34==\n-----END RSA PRIVATE KEY-----"
    assert redact(f"see this:\n{tail}\nok") == ("see this:\n[redacted: private key]\nok", {"private key": 1})


def test_speaks_of_key_blocks_without_masking() -> None:
    text = "grep for -----BEGIN PRIVATE KEY----- in the tree; a -----BEGIN CERTIFICATE----- is fine"
    assert redact(text) == (text, {})


def test_counts_by_kind() -> None:
    text = "password: hunter2\npwd=abc123\nPAT gh" + "p_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    masked, counts = redact(text)
    assert counts == {"password": 2, "github token": 1}
    assert masked == "password: [redacted: password]\npwd=[redacted: password]\nPAT [redacted: github token]"


def test_masks_every_cookie_of_a_header() -> None:
    masked, counts = redact("Cookie: theme=dark; sessionid=abc123def456; csrftoken=QwErTy12\nHost: x")
    assert masked == "Cookie: theme=dark; sessionid=[redacted: cookie]; csrftoken=[redacted: cookie]\nHost: x"
    assert counts == {"cookie": 2}


def test_masks_in_settings() -> None:
    text = "[db]\nhost = 10.0.0.1\nport = 5432\nuser = app\npassword = Zx9qwer\n"
    assert redact(text)[0] == text.replace("Zx9qwer", "[redacted: password]")


def test_survives_what_is_no_text() -> None:
    for text in ("", "\0", "\ud800 password: hunter2", "İİ password: hunter2", "密码：\udcff"):
        masked, _ = redact(text)
        assert "hunter2" not in masked
        assert redact(masked) == (masked, {})


@pytest.mark.parametrize(
    "unit",
    [
        "password=",
        "token token ",
        "password: ",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "://",
        "://a:b",
        "Cookie: a=",
        "curl -u ",
        "mysql ",
        "eyJ",
        "api_key for a b c ",
        "Bearer ",
        "密码是",
        'password: "',
        "password(",
        "a=b; ",
        "sk-",
        "redis-cli -h a ",
    ],
)
def test_takes_linear_time(unit: str) -> None:
    """Not by the clock: what is quadratic would not come back within the time a test run has."""
    text = unit * (120_000 // len(unit))
    masked, _ = redact(text)
    assert isinstance(masked, str)


_PIECES = st.sampled_from(
    [
        *("password", "token", "API_KEY", "密码", "密钥", "secret", "Bearer ", "Cookie: ", "://", "sk-", "eyJ", "AKIA"),
        *(
            "=",
            ": ",
            "：",
            " is ",
            "是",
            '"',
            "'",
            "`",
            " ",
            "\n",
            "@",
            ";",
            "(",
            ")",
            "[redacted: token]",
            "|",
            ">",
            "\\n",
        ),
        *("hunter2", "abc123def456", "Zx9!", "None", "a1B2c3D4e5F6g7H8i9J0", "-----BEGIN PRIVATE KEY-----", "user:"),
        *(
            "-----END PRIVATE KEY-----",
            "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
            "curl -u a:",
            "ghp_",
            "x" * 20,
            "**",
            "&",
            "?",
        ),
    ]
)


@given(st.lists(_PIECES, max_size=14).map("".join))
def test_is_idempotent_on_fragments(text: str) -> None:
    masked, counts = redact(text)
    assert redact(masked) == (masked, {})
    assert sum(counts.values()) <= masked.count("[redacted: ")


@given(st.text(st.characters() | st.sampled_from(string.punctuation), max_size=200))
def test_is_idempotent_and_never_raises(text: str) -> None:
    masked, _ = redact(text)
    assert redact(masked) == (masked, {})
