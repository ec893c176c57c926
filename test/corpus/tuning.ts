import { type ErrorSource, markedJson, unmarkedJson } from "./error-text.ts";

/** Texts that rules may be written for. How they were chosen and judged: README.md. */
export const tuning: readonly ErrorSource[] = [
  {
    server: "TypeScript SDK",
    source: "modelcontextprotocol/typescript-sdk src/server/mcp.ts",
    rows: [
      [
        "VALIDATION_ERROR",
        'MCP error -32602: Input validation error: Invalid arguments for tool add: [\n  {\n    "code": "invalid_type",\n    "expected": "number",\n    "path": ["a"],\n    "message": "Required"\n  }\n]',
      ],
      ["VALIDATION_ERROR", "Invalid arguments for tool add: arguments contain more than the maximum of 1000 elements"],
      ["OPERATION_FAILED", "Output validation error: Tool add has an output schema but no structured content was provided"],
      ["NOT_FOUND", "MCP error -32602: Tool subtract not found"],
      ["TIMEOUT", "MCP error -32001: Request timed out"],
      ["OPERATION_FAILED", "MCP error -32000: Connection closed"],
    ],
  },
  {
    server: "everything",
    source: "modelcontextprotocol/servers src/everything/tools/get-resource-reference.ts, gzip-file-as-resource.ts",
    rows: [
      ["VALIDATION_ERROR", "Invalid resourceType: Video. Must be Text or Blob."],
      ["VALIDATION_ERROR", "Invalid resourceId: -4. Must be a finite positive integer."],
      [
        "TOO_LARGE",
        "Error processing file https://a.example/big.bin: Response from https://a.example/big.bin exceeds 10485760 bytes",
      ],
      [
        "VALIDATION_ERROR",
        "Error processing file ftp://a.example/x: Unsupported URL protocol for ftp://a.example/x. Only http, https, and data URLs are supported.",
      ],
      ["FORBIDDEN", "Error processing file https://b.example/x: Domain b.example is not in the allowed domains list."],
    ],
  },
  {
    server: "filesystem",
    source: "modelcontextprotocol/servers src/filesystem/lib.ts",
    rows: [
      ["FORBIDDEN", "Access denied - path outside allowed directories: /etc/passwd not in /srv/data"],
      ["FORBIDDEN", "Access denied - symlink target outside allowed directories: /etc/shadow not in /srv/data"],
      ["NOT_FOUND", "Parent directory does not exist: /srv/data/none"],
      ["DUPLICATE_ENTRY", "Destination already exists: /srv/data/b.txt"],
      ["OPERATION_FAILED", "Could not find exact match for edit:\nconst a = 1;"],
      ["VALIDATION_ERROR", "Cannot specify both head and tail parameters simultaneously"],
      ["NOT_FOUND", "ENOENT: no such file or directory, open '/srv/data/a.txt'"],
      ["INVALID_PATH", "EISDIR: illegal operation on a directory, read"],
      ["CONFLICT", "ENOTEMPTY: directory not empty, rmdir '/srv/data/full'"],
    ],
  },
  {
    server: "memory",
    source: "modelcontextprotocol/servers src/memory/index.ts",
    rows: [["NOT_FOUND", "Entity with name Alice not found"]],
  },
  {
    server: "Python SDK",
    source: "modelcontextprotocol/python-sdk src/mcp/server/fastmcp/tools/base.py; devopam/MCPg#294, mgreen27/mcp-velociraptor#8",
    rows: [
      [
        "MISSING_REQUIRED",
        "Error executing tool list_indexes: 1 validation error for list_indexesArguments\ntable\n  Field required [type=missing, input_value={'schema': 'public', 'database': 'bench'}, input_type=dict]\n    For further information visit https://errors.pydantic.dev/2.13/v/missing",
      ],
      [
        "VALIDATION_ERROR",
        "Error executing tool search: 1 validation error for searchArguments\nlimit\n  Input should be a valid integer, unable to parse string as an integer [type=int_parsing, input_value='ten', input_type=str]\n    For further information visit https://errors.pydantic.dev/2.11/v/int_parsing",
      ],
      [
        "OPERATION_FAILED",
        "Error executing tool collect_artifact: 1 validation error for collect_artifactOutput\nresult\n  Input should be a valid string [type=string_type, input_value=[], input_type=list]\n    For further information visit https://errors.pydantic.dev/2.11/v/string_type",
      ],
      ["NOT_FOUND", "Error executing tool read: [Errno 2] No such file or directory: 'notes.txt'"],
      ["FORBIDDEN", "Error executing tool read: [Errno 13] Permission denied: '/root/x'"],
      ["VALIDATION_ERROR", "Input validation error: 'path' is a required property"],
      ["NOT_FOUND", "Unknown tool: subtract"],
      ["UNAVAILABLE", "Error executing tool weather: All connection attempts failed"],
      [
        "NOT_FOUND",
        "Error executing tool weather: Client error '404 Not Found' for url 'https://api.weather.example/points/0,0'\nFor more information check: https://developer.mozilla.org/en-US/docs/Web/HTTP/Status/404",
      ],
      [
        "UNAVAILABLE",
        "Error executing tool weather: Server error '503 Service Unavailable' for url 'https://api.weather.example/alerts'\nFor more information check: https://developer.mozilla.org/en-US/docs/Web/HTTP/Status/503",
      ],
      ["OPERATION_FAILED", "Error executing tool divide: division by zero"],
      ["OPERATION_FAILED", "Error executing tool get: 'NoneType' object has no attribute 'name'"],
      ["TIMEOUT", "Error executing tool weather: Timed out while waiting for response to ClientRequest. Waited 5.0 seconds."],
    ],
  },
  {
    server: "FastMCP (Python)",
    source: "PrefectHQ/fastmcp src/fastmcp/server/server.py, server/middleware/error_handling.py; PrefectHQ/fastmcp#3528",
    rows: [
      ["NOT_FOUND", "Error calling tool 'get_page': Page not found"],
      ["NOT_FOUND", "Unknown tool: 'subtract'"],
      ["OPERATION_FAILED", "Output validation error: 'hello' is not of type 'array'"],
      ["OPERATION_FAILED", "Error calling tool 'divide'"],
      ["RATE_LIMIT_EXCEEDED", "Rate limit exceeded for client: global"],
      [
        "MISSING_REQUIRED",
        "1 validation error for call[search]\nquery\n  Missing required argument [type=missing_argument, input_value=ArgsKwargs((), {}), input_type=ArgsKwargs]",
      ],
    ],
  },
  {
    server: "fetch",
    source: "modelcontextprotocol/servers src/fetch/src/mcp_server_fetch/server.py",
    rows: [
      ["UNAVAILABLE", "Failed to fetch robots.txt https://a.example/robots.txt due to a connection issue"],
      [
        "FORBIDDEN",
        "When fetching robots.txt (https://a.example/robots.txt), received status 403 so assuming that autonomous fetching is not allowed, the user can try manually fetching by using the fetch prompt",
      ],
      [
        "FORBIDDEN",
        "The sites robots.txt (https://a.example/robots.txt), specifies that autonomous fetching of this page is not allowed, <useragent>ModelContextProtocol/1.0</useragent>\n<url>https://a.example/x</url><robots>\nUser-agent: *\nDisallow: /\n</robots>\nThe assistant must let the user know that it failed to view the page.",
      ],
      ["UNAVAILABLE", "Failed to fetch https://a.example/x: ConnectError('[Errno -2] Name or service not known')"],
      ["TIMEOUT", "Failed to fetch https://a.example/x: ReadTimeout('')"],
      ["NOT_FOUND", "Failed to fetch https://a.example/x - status code 404"],
      ["FORBIDDEN", "Failed to fetch https://a.example/x - status code 403"],
      ["UNAVAILABLE", "Failed to fetch https://a.example/x - status code 503"],
      ["MISSING_REQUIRED", "URL is required"],
      [
        "VALIDATION_ERROR",
        "1 validation error for Fetch\nurl\n  Input should be a valid URL, relative URL without a base [type=url_parsing, input_value='a.example', input_type=str]",
      ],
    ],
  },
  {
    server: "GitHub",
    source: "github/github-mcp-server pkg/errors/error.go, pkg/github/server.go; github/github-mcp-server#1952",
    rows: [
      ["NOT_FOUND", "failed to get issue: GET https://api.github.com/repos/o/r/issues/9999: 404 Not Found []"],
      ["UNAUTHORIZED", "failed to get user: GET https://api.github.com/user: 401 Bad credentials []"],
      [
        "FORBIDDEN",
        "failed to merge pull request: PUT https://api.github.com/repos/o/r/pulls/3/merge: 403 Resource not accessible by integration []",
      ],
      [
        "RATE_LIMIT_EXCEEDED",
        "failed to search code: GET https://api.github.com/search/code?q=x: 403 API rate limit exceeded for user ID 1. [rate reset in 12m34s]",
      ],
      [
        "RATE_LIMIT_EXCEEDED",
        "failed to create issue: POST https://api.github.com/repos/o/r/issues: 403 You have exceeded a secondary rate limit. Please wait a few minutes before you try again. []",
      ],
      [
        "VALIDATION_ERROR",
        "failed to create repository: POST https://api.github.com/user/repos: 422 Repository creation failed. [{Resource:Repository Field:name Code:custom Message:name is too long}]",
      ],
      ["CONFLICT", "failed to update file: PUT https://api.github.com/repos/o/r/contents/a: 409 a does not match 5f3a []"],
      ["CONFLICT", "failed to merge pull request: PUT https://api.github.com/repos/o/r/pulls/3/merge: 405 Pull Request is not mergeable []"],
      ["MISSING_REQUIRED", "missing required parameter: owner"],
      ["VALIDATION_ERROR", "parameter issue_number is not of type float64, is string"],
      ["NOT_FOUND", 'failed to get discussion: Could not resolve to a Discussion with the number of 99.'],
      ["UNAVAILABLE", "failed to list commits: unexpected status 502: Bad Gateway"],
      ["UNAVAILABLE", 'failed to get user: Get "https://api.github.com/user": dial tcp: lookup api.github.com: no such host'],
      ["TIMEOUT", 'failed to get file: Get "https://api.github.com/repos/o/r": context deadline exceeded'],
      ["OPERATION_FAILED", "failed to marshal response: json: unsupported type: chan int"],
    ],
    unmarked: ["missing required parameter: owner"],
  },
  {
    server: "Brave Search",
    source: "brave/brave-search-mcp-server src/BraveAPI/request.ts",
    rows: [
      [
        "RATE_LIMIT_EXCEEDED",
        '429 Too Many Requests\n{\n  "type": "ErrorResponse",\n  "error": {\n    "id": "a",\n    "status": 429,\n    "code": "RATE_LIMITED",\n    "detail": "Request rate limit exceeded for plan."\n  }\n}',
      ],
      [
        "OPERATION_FAILED",
        '402 Payment Required\n{\n  "error": {\n    "code": "QUOTA_LIMITED",\n    "detail": "Monthly quota exceeded"\n  }\n}',
      ],
      [
        "VALIDATION_ERROR",
        '422 Unprocessable Entity\n{\n  "error": {\n    "code": "VALIDATION",\n    "detail": "Unable to validate request parameter(s)"\n  }\n}',
      ],
      ["UNAUTHORIZED", '401 Unauthorized\n{\n  "error": {\n    "code": "SUBSCRIPTION_TOKEN_INVALID"\n  }\n}'],
    ],
  },
  {
    server: "Context7",
    source: "upstash/context7 packages/mcp/src/lib/api.ts",
    rows: [
      [
        "OPERATION_FAILED",
        "Rate limited or quota exceeded. Upgrade your plan at https://context7.com/plans for higher limits.",
      ],
      ["NOT_FOUND", "The library you are trying to access does not exist. Please try with a different library ID."],
      [
        "UNAUTHORIZED",
        "Invalid API key. Please check your API key. API keys should start with 'ctx7sk' prefix.",
      ],
      ["UNAVAILABLE", "Request failed with status 503. Please try again later."],
      ["UNAVAILABLE", "Error searching libraries: TypeError: fetch failed"],
      [
        "INVALID_FORMAT",
        "Error fetching library documentation. Please try again later. Error: Invalid library ID format: react. Expected format: /username/library or /username/library/tag",
      ],
    ],
    unmarked: [
      "Invalid API key. Please check your API key. API keys should start with 'ctx7sk' prefix.",
      "Error fetching library documentation. Please try again later. TypeError: fetch failed",
    ],
  },
  {
    server: "Stripe",
    source: "stripe/agent-toolkit typescript/src/modelcontextprotocol/toolkit.ts",
    rows: [
      ["NOT_FOUND", "No such customer: 'cus_1'"],
      ["UNAUTHORIZED", "Invalid API Key provided: sk_test_****1234"],
      ["MISSING_REQUIRED", "Missing required param: currency."],
      ["VALIDATION_ERROR", "Invalid integer: abc"],
    ],
  },
  {
    server: "Sentry",
    source: "getsentry/sentry-mcp packages/mcp-core/src/internal/error-handling.ts, src/api-client/errors.ts",
    rows: [
      [
        "NOT_FOUND",
        "**Input Error**\n\nThere was an HTTP 404 error with your request to the Sentry API.\n\nAPI error (404): The requested resource does not exist. Please verify that the organization, project, or resource ID is correct and that you have access to it.\n\nYou may be able to resolve the issue by addressing the concern and trying again.",
      ],
      [
        "FORBIDDEN",
        "**Input Error**\n\nThere was an HTTP 403 error with your request to the Sentry API.\n\nAPI error (403): You do not have permission to perform this action.\n\nYou may be able to resolve the issue by addressing the concern and trying again.",
      ],
      [
        "UNAUTHORIZED",
        "**Input Error**\n\nThere was an HTTP 401 error with your request to the Sentry API.\n\nAPI error (401): Invalid token\n\nYou may be able to resolve the issue by addressing the concern and trying again.",
      ],
      [
        "RATE_LIMIT_EXCEEDED",
        "**Input Error**\n\nThere was an HTTP 429 error with your request to the Sentry API.\n\nAPI error (429): Too many requests\n\nYou may be able to resolve the issue by addressing the concern and trying again.",
      ],
      [
        "UNAVAILABLE",
        "**Error**\n\nThere was an HTTP 502 server error with the Sentry API.\n\nBad Gateway\n\n**Event ID**: 5f3a\n\nPlease contact support if the problem persists.",
      ],
      [
        "VALIDATION_ERROR",
        "**Input Error**\n\nIt looks like there was a problem with the input you provided.\n\nOrganization slug is required. Please provide an organizationSlug parameter.\n\nYou may be able to resolve the issue by addressing the concern and trying again.",
      ],
      [
        "OPERATION_FAILED",
        "**Configuration Error**\n\nThere appears to be a configuration issue with your setup.\n\nThe hostname \"sentry.local\" could not be resolved.\n\nPlease check your environment configuration and try again.",
      ],
      [
        "OPERATION_FAILED",
        "**AI Provider Error**\n\nThe AI provider service is not available for this request.\n\nRegion not supported\n\nThis is a service availability issue that cannot be resolved by retrying.",
      ],
    ],
  },
  {
    server: "DBHub",
    source: "bytebase/dbhub src/tools/execute-sql.ts",
    rows: [
      [
        "FORBIDDEN",
        markedJson({
          success: false,
          error:
            "Read-only mode is enabled for source 'default'. Only the following SQL operations are allowed: select, with, explain, show",
          code: "READONLY_VIOLATION",
        }),
      ],
      [
        "NOT_FOUND",
        markedJson({ success: false, error: 'relation "tasks" does not exist', code: "EXECUTION_ERROR" }),
      ],
      ["NOT_FOUND", markedJson({ success: false, error: "no such table: tasks", code: "EXECUTION_ERROR" })],
      [
        "OPERATION_FAILED",
        markedJson({ success: false, error: 'syntax error at or near "SELEC"', code: "EXECUTION_ERROR" }),
      ],
      [
        "UNAVAILABLE",
        unmarkedJson({ success: false, error: "connect ECONNREFUSED 127.0.0.1:5432", code: "EXECUTION_ERROR" }),
      ],
      [
        "TIMEOUT",
        markedJson({ success: false, error: "canceling statement due to statement timeout", code: "EXECUTION_ERROR" }),
      ],
    ],
  },
  {
    server: "Kubernetes (Flux159)",
    source: "Flux159/mcp-server-kubernetes src/tools/kubectl-get.ts",
    rows: [
      ["NOT_FOUND", markedJson({ error: "Resource pods/web-1 not found", status: "not_found" })],
      [
        "FORBIDDEN",
        'MCP error -32603: Failed to execute kubectl get command: MCP error -32603: Failed to get resource: Command failed: kubectl get secrets -n kube-system -o json\nError from server (Forbidden): secrets is forbidden: User "dev" cannot list resource "secrets" in API group "" in the namespace "kube-system"',
      ],
      [
        "UNAVAILABLE",
        "MCP error -32603: Failed to execute kubectl get command: MCP error -32603: Failed to get resource: Command failed: kubectl get pods\nThe connection to the server localhost:8080 was refused - did you specify the right host or port?",
      ],
      [
        "OPERATION_FAILED",
        "MCP error -32603: Failed to execute kubectl get command: spawnSync kubectl ENOENT",
      ],
      [
        "VALIDATION_ERROR",
        'MCP error -32603: Failed to execute kubectl get command: MCP error -32603: Failed to get resource: Command failed: kubectl get podz\nerror: the server doesn\'t have a resource type "podz"',
      ],
    ],
  },
  {
    server: "Docker",
    source: "ckreiling/mcp-server-docker src/mcp_server_docker/server.py",
    rows: [
      [
        "NOT_FOUND",
        '404 Client Error for http+docker://localhost/v1.45/containers/web/json: Not Found ("No such container: web")',
      ],
      [
        "CONFLICT",
        '409 Client Error for http+docker://localhost/v1.45/containers/create?name=web: Conflict ("Conflict. The container name "/web" is already in use by container 5f3a.")',
      ],
      [
        "UNAVAILABLE",
        "Error while fetching server API version: ('Connection aborted.', ConnectionRefusedError(111, 'Connection refused'))",
      ],
      ["UNAVAILABLE", '500 Server Error for http+docker://localhost/v1.45/images/create: Internal Server Error ("Get https://registry.example/v2/: EOF")'],
    ],
    unmarked: [
      "ERROR: You provided invalid Tool inputs: 1 validation error for CreateContainerInput\nimage\n  Field required [type=missing]",
    ],
  },
  {
    server: "AWS",
    source: "awslabs/mcp#1689; awslabs/mcp src/aws-api-mcp-server (botocore messages)",
    rows: [
      [
        "OPERATION_FAILED",
        unmarkedJson({ error: true, detail: "Error while executing the command: exit status 254" }),
      ],
      [
        "FORBIDDEN",
        "Error executing tool call_aws: An error occurred (AccessDeniedException) when calling the ListFunctions operation: User: arn:aws:iam::1:user/dev is not authorized to perform: lambda:ListFunctions",
      ],
      [
        "RATE_LIMIT_EXCEEDED",
        "Error executing tool call_aws: An error occurred (ThrottlingException) when calling the DescribeStacks operation (reached max retries: 4): Rate exceeded",
      ],
      [
        "NOT_FOUND",
        "Error executing tool call_aws: An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation: The specified bucket does not exist",
      ],
      [
        "UNAUTHORIZED",
        "Error executing tool call_aws: An error occurred (ExpiredToken) when calling the GetCallerIdentity operation: The security token included in the request is expired",
      ],
      [
        "VALIDATION_ERROR",
        "Error executing tool call_aws: An error occurred (ValidationException) when calling the PutItem operation: One or more parameter values were invalid",
      ],
      ["OPERATION_FAILED", "Error executing tool call_aws: Unable to locate credentials"],
    ],
  },
  {
    server: "Playwright",
    source: "microsoft/playwright-mcp src/tab.ts, src/context.ts",
    rows: [
      ["NOT_FOUND", "### Error\nError: Ref e30 not found in the current page snapshot. Try capturing new snapshot."],
      [
        "TIMEOUT",
        "### Error\nTimeoutError: locator.click: Timeout 5000ms exceeded.\nCall log:\n  - waiting for locator('aria-ref=e3')",
      ],
      ["UNAVAILABLE", "### Error\nError: page.goto: net::ERR_NAME_NOT_RESOLVED at https://nowhere.example/\nCall log:\n  - navigating"],
      ["UNAVAILABLE", "Error: page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:3000/"],
      ["OPERATION_FAILED", "Error: No open pages available. Use the \"browser_navigate\" tool to navigate to a page first."],
      ["OPERATION_FAILED", "Error: Browser specified in your config is not installed. Either install it (likely) or change the config."],
      ["OPERATION_FAILED", "### Error\nError: page._evaluateFunction: ReferenceError: foo is not defined"],
    ],
  },
  {
    server: "Notion",
    source: "makenotion/notion-mcp-server src/openapi-mcp-server/mcp/proxy.ts",
    rows: [
      [
        "NOT_FOUND",
        unmarkedJson({
          status: 404,
          object: "error",
          code: "object_not_found",
          message: "Could not find page with ID: 5f3a. Make sure the relevant pages and databases are shared with your integration.",
          request_id: "a",
        }),
      ],
      [
        "UNAUTHORIZED",
        unmarkedJson({ status: 401, object: "error", code: "unauthorized", message: "API token is invalid." }),
      ],
      [
        "VALIDATION_ERROR",
        unmarkedJson({
          status: 400,
          object: "error",
          code: "validation_error",
          message: "body failed validation: body.parent.page_id should be a valid uuid, instead was `x`.",
        }),
      ],
      [
        "RATE_LIMIT_EXCEEDED",
        unmarkedJson({
          status: 429,
          object: "error",
          code: "rate_limited",
          message: "You have been rate limited. Please try again in a few minutes.",
        }),
      ],
      ["FORBIDDEN", unmarkedJson({ status: 403, object: "error", code: "restricted_resource", message: "Insufficient permissions for this endpoint." })],
      ["OPERATION_FAILED", unmarkedJson({ status: "error", data: "<html>oops</html>" })],
    ],
  },
  {
    server: "MongoDB",
    source: "mongodb-js/mongodb-mcp-server src/common/connectionErrorHandler.ts, src/tools/atlas/atlasTool.ts, src/tools/tool.ts",
    rows: [
      ["OPERATION_FAILED", "You need to connect to a MongoDB instance before you can access its data.\nPlease use one of the following tools: \"connect\" to connect to a MongoDB instance."],
      [
        "OPERATION_FAILED",
        "The configured connection string is not valid. Please check the connection string and confirm it points to a valid MongoDB instance.",
      ],
      [
        "UNAUTHORIZED",
        "Unable to authenticate with MongoDB Atlas, API error: [401 Unauthorized] error calling Atlas API\n\nHint: Your API credentials may be invalid, expired or lack permissions.\nPlease check your Atlas API credentials and ensure they have the appropriate permissions.",
      ],
      [
        "FORBIDDEN",
        "Received a Forbidden API Error: [403 Forbidden] error calling Atlas API\n\nYou don't have sufficient permissions to perform this action in MongoDB Atlas.\nPlease ensure your API key has the necessary roles assigned.",
      ],
      ["UNAVAILABLE", "Error running find: connect ECONNREFUSED 127.0.0.1:27017"],
      ["OPERATION_FAILED", "Error running aggregate: Unrecognized pipeline stage name: '$foo'"],
      ["DUPLICATE_ENTRY", "Error running insert-many: E11000 duplicate key error collection: a.b index: _id_ dup key: { _id: 1 }"],
    ],
    unmarked: [],
  },
  {
    server: "GitLab",
    source: "zereight/gitlab-mcp index.ts",
    rows: [
      ["NOT_FOUND", 'GitLab API error: 404 Not Found\n{"message":"404 Project Not Found"}'],
      ["UNAUTHORIZED", 'GitLab API error: 401 Unauthorized\n{"message":"401 Unauthorized"}'],
      [
        "FORBIDDEN",
        'GitLab API error: 403 Forbidden\n{"error":"insufficient_scope","error_description":"The request requires higher privileges than provided by the access token."}',
      ],
      ["VALIDATION_ERROR", 'GitLab API error: 400 Bad Request\n{"message":{"name":["is too long"]}}'],
      ["RATE_LIMIT_EXCEEDED", "GitLab API Rate Limit Exceeded: User API Key Rate limit exceeded"],
      ["DUPLICATE_ENTRY", 'GitLab API error: 400 Bad Request\n{"message":"Branch already exists"}'],
      ["CONFLICT", 'GitLab API error: 409 Conflict\n{"message":"SHA does not match HEAD of source branch"}'],
    ],
  },
];
