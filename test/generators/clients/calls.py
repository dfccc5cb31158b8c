"""Calls every operation of a client that openapi-generator has written for Python, and prints the resources."""
import inspect
import os

import openapi_client

configuration = openapi_client.Configuration(host=os.environ["URL"])
configuration.access_token = os.environ["TOKEN"]
client = openapi_client.ApiClient(configuration)
apis = [one(client) for name, one in inspect.getmembers(openapi_client, inspect.isclass) if name.endswith("Api")]
for api in apis:
    for name, call in inspect.getmembers(api, inspect.ismethod):
        if not name.startswith(("get_", "list_")) or name.endswith("_with_http_info"):
            continue
        answer = call()
        print(answer.data.resource)
        if name.startswith("list_"):
            key = "key" if name == "list_settings" else "id"
            for item in call(fields=[key]).data.items:
                members = {one for one, value in item.to_dict().items() if value is not None}
                assert members == {key}, (name, members)
