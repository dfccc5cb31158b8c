package io.swagger.annotations;

public @interface ApiModel {
  String description() default "";
}
