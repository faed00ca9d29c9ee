package org.terrace.core.codec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The number under which a record class is stored among the classes of one sealed interface. It
 * must never change, and never be used again for another class; classes may be added, removed and
 * renamed.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface TypeNumber {
  /** 1 or more. */
  int value();
}
