/**
 * The services that a group offers, with their replicas and loads, and more replicas when the load
 * asks for them.
 */
package org.terrace.groups.service;
