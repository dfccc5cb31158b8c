import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.*;

/** Calls every operation of a client that openapi-generator has written for Java, and prints the resources. */
public class Calls {
  public static void main(String[] none) throws Exception {
    ApiClient client = new ApiClient();
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("TOKEN")));
    Object[] apis = {
      new AccountsAndUsersApi(client), new DomainsAndWebsitesApi(client), new EmailAndDatabasesApi(client),
      new JobsAndSchedulingApi(client), new PlatformAndHealthApi(client), new SslAndSecurityApi(client),
    };
    for (Object api : apis)
      for (Method call : api.getClass().getMethods())
        if (call.getDeclaringClass() != Object.class && call.getName().matches("(get|list)[A-Z]\\w*(?<!WithHttpInfo)")) {
          Object answer = call.invoke(api, new Object[call.getParameterCount()]);
          Object data = answer.getClass().getMethod("getData").invoke(answer);
          System.out.println(data.getClass().getMethod("getResource").invoke(data));
        }
  }
}
