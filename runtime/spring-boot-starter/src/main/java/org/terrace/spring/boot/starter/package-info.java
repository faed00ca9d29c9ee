/**
 * The auto-configuration of Spring Boot: from the properties {@code terrace.*} to a replica of
 * collections, with the sessions and caches of the application in it.
 */
package org.terrace.spring.boot.starter;
