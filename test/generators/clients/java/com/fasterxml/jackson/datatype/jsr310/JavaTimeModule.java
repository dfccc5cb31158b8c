package com.fasterxml.jackson.datatype.jsr310;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.time.OffsetDateTime;

/** In place of the module that Debian does not have: reads the one form of a time. */
public class JavaTimeModule extends SimpleModule {
  public JavaTimeModule() {
    addDeserializer(OffsetDateTime.class, new StdScalarDeserializer<OffsetDateTime>(OffsetDateTime.class) {
      @Override
      public OffsetDateTime deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        return OffsetDateTime.parse(parser.getText());
      }
    });
  }
}
