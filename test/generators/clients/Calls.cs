using System;
using System.IO;
using System.Linq;
using System.Net;
using Newtonsoft.Json;

/// <summary>
/// Reads every answer into the model that openapi-generator has written for C#, and prints the resources. The arguments
/// are pairs of a path and the name of a model.
/// </summary>
static class Calls
{
    static void Main(string[] args)
    {
        for (int i = 0; i < args.Length; i += 2)
        {
            var request = WebRequest.Create(Environment.GetEnvironmentVariable("URL") + args[i]);
            request.Headers["Authorization"] = "Bearer " + Environment.GetEnvironmentVariable("TOKEN");
            using (var reader = new StreamReader(request.GetResponse().GetResponseStream()))
            {
                var model = Type.GetType("Org.OpenAPITools.Model." + args[i + 1], true);
                dynamic answer = JsonConvert.DeserializeObject(reader.ReadToEnd(), model);
                Console.WriteLine(JsonConvert.SerializeObject(answer.Data.Resource).Trim('"'));
            }
        }
    }
}
