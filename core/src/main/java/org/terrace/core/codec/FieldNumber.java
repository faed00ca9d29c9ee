package org.terrace.core.codec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The number under which a record's component is stored. It must never change, and never be used
 * again for another component; components may be added, removed, renamed and moved.
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface FieldNumber {
  /** 1 or more. */
  int value();
}
