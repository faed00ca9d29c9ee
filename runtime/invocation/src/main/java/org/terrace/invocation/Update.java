package org.terrace.invocation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a service interface that changes state: it takes effect exactly once, however
 * often its request is sent.
 *
 * <p>Source of the distinction: Marian, Balakrishnan, Birman, van Renesse, "Tempest: Soft state
 * replication in the service tier", 2008, section 2.1.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Update {}
